import { finishNow } from "@homeostat/cel";
import { encodeJson, type JsonValue, setOwnKey } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cloneInSteps } from "./clone-in-steps.ts";

test("a copy says the same and is changed alone", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const source = value as JsonValue;
      const before = encodeJson(source);
      const copy = finishNow(cloneInSteps(source));
      expect(encodeJson(copy)).toBe(before);
      if (typeof copy !== "object" || copy === null) return;
      if (Array.isArray(copy)) copy.push("more");
      else setOwnKey(copy, "more", "more");
      expect(encodeJson(source)).toBe(before);
    }),
  );
});

test("keys that every object inherits, and what lies deep, are copied like others", () => {
  let deep = JSON.parse('{"__proto__":{"toString":1}}') as JsonValue;
  for (let level = 0; level < 1_000; level++) deep = [deep];
  const copy = finishNow(cloneInSteps(deep));
  expect(encodeJson(copy)).toBe(encodeJson(deep));
  expect(copy).not.toBe(deep);
});

test("many members take many steps", () => {
  const list = Array.from({ length: 50_000 }, (_, at) => ({ at }));
  expect([...cloneInSteps(list)].length).toBeGreaterThan(20);
});
