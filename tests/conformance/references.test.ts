import type { JsonValue } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { fillBody, fillText, fillValue } from "./references.ts";

const answers = new Map<string, JsonValue | undefined>([
  ["made", { metadata: { name: "a", uid: "u", resourceVersion: "41" }, list: [{ x: 5 }] }],
  ["none", undefined],
]);
const environment = { namespace: "n1", answers };

test("texts refer to the namespace and to earlier answers", () => {
  const fill = (text: string): string => fillText(text, environment);
  expect(fill("/${ns}/${made:name}?v=${made:rv}&u=${made:uid}")).toBe("/n1/a?v=41&u=u");
  expect(fill("${made:rv+5} ${made:list.0.x}")).toBe("46 5");
  expect(fill("${none:rv} ${unknown:rv} ${made:nothing.here}")).toBe("missing missing missing");
  expect(fill("${other}")).toBe("${other}");
});

test("values are filled in keys and texts, and special keys survive", () => {
  const value = JSON.parse('{"${ns}":["${made:rv}",1,null],"__proto__":"${ns}"}') as JsonValue;
  expect(JSON.stringify(fillValue(value, environment))).toBe(
    '{"n1":["41",1,null],"__proto__":"n1"}',
  );
});

test("a body is a text, a value, or an earlier answer changed", () => {
  expect(fillBody({ text: "{${ns}" }, environment)).toBe("{n1");
  expect(fillBody({ json: { v: "${made:rv}" } }, environment)).toBe('{"v":"41"}');
  const by = { metadata: { uid: null, labels: { l: "${ns}" } }, list: null };
  expect(JSON.parse(fillBody({ edited: "made", by }, environment))).toEqual({
    metadata: { name: "a", resourceVersion: "41", labels: { l: "n1" } },
  });
  expect(fillBody({ edited: "none", by: { a: 1 } }, environment)).toBe('{"a":1}');
});
