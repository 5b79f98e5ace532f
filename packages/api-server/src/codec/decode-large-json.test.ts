import { finishNow } from "@homeostat/cel";
import { decodeJson, type JsonValue } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeLargeJson } from "./decode-large-json.ts";

/** What `decodeJson` says, undefined where it refuses or tells of keys held twice. */
function plainly(text: string | Uint8Array): JsonValue | undefined {
  try {
    const { value, duplicates } = decodeJson(text, { duplicates: "report" });
    return duplicates.length > 0 ? undefined : value;
  } catch {
    return undefined;
  }
}

function inSteps(text: string | Uint8Array): { value: JsonValue | undefined; steps: number } {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const decoding = decodeLargeJson(bytes);
  for (let steps = 1; ; steps++) {
    const step = decoding.next();
    if (step.done === true) return { value: step.value, steps };
  }
}

const padding = "x".repeat(30_000);

/** Texts of several chunks: JSON values among elements that are long. */
const texts = fc
  .record({
    parts: fc.array(fc.json({ maxDepth: 3 }), { minLength: 3, maxLength: 12 }),
    keys: fc.uniqueArray(fc.oneof(fc.string(), fc.constant("__proto__"), fc.nat().map(String)), {
      minLength: 12,
      maxLength: 12,
    }),
    space: fc.constantFrom("", " ", "\n\t "),
    isList: fc.boolean(),
  })
  .map(({ parts, keys, space, isList }) => {
    const long = parts.map((part, at) => (at % 2 === 0 ? part : `["${padding}",${part}]`));
    const members = long.map((part, at) => `${JSON.stringify(keys[at])}${space}:${part}${space}`);
    const inner = isList ? `[${long.join(`${space},`)}]` : `{${members.join(",")}${space}}`;
    return `${space}{"kind":"A","spec":${inner},"last":[${inner},${inner}]}${space}`;
  });

test("a large text gives what it gives when it is decoded at once", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { value, steps } = inSteps(text);
      expect(value).toEqual(plainly(text));
      expect(value).toBeDefined();
      expect(Object.keys(value as object)).toEqual(Object.keys(plainly(text) as object));
      expect(steps).toBeGreaterThan(2);
    }),
    { numRuns: 30 },
  );
});

test("a text with something changed in it is decoded the same or left alone", () => {
  const bytes = texts.map((text) => new TextEncoder().encode(text));
  const codes = ["[", "]", "{", "}", ",", ":", '"', "\\", " ", "1", "\u00e9", "\0"];
  const change = fc.record({ at: fc.nat(), code: fc.constantFrom(...codes) });
  fc.assert(
    fc.property(bytes, change, (text, { at, code }) => {
      const changed = text.slice();
      // Most of the text is padding: near its quotes and brackets is where it hurts.
      const structural = [...text.keys()].filter((index) => text[index] !== 0x78);
      changed[structural[at % structural.length]!] = code.charCodeAt(0);
      const { value } = inSteps(changed);
      expect([undefined, plainly(changed)]).toContainEqual(value);
    }),
    { numRuns: 25 },
  );
});

test("keys held twice, in one chunk or in two, are left to others", () => {
  const long = `["${padding}","${padding}"]`;
  for (const text of [
    `{"a":${long},"b":1,"a":2}`,
    `{"a":1,"b":${long},"a":2}`,
    `{"spec":{"x":{"a":1,"a":2},"b":${long}}}`,
    `{"\\u0061":${long},"a":${long}}`,
  ]) {
    expect(inSteps(text).value).toBeUndefined();
  }
});

test("commas too many, brackets that do not match and open strings are left to others", () => {
  const long = `["${padding}","${padding}"]`;
  for (const text of [
    `[${long},]`,
    `[,${long}]`,
    `[${long},,1]`,
    `[${long}}`,
    `{"a":${long},}`,
    `{"a" ${long}}`,
    `{a:${long}}`,
    `[${long}`,
    `[${long}]]`,
    `[${long},"`,
    `${long} ${long}`,
  ]) {
    expect(inSteps(text).value).toBeUndefined();
  }
});

test("large integers and long texts come out as ever", () => {
  const text = `{"a":[${Array.from({ length: 9_000 }, () => "9223372036854775807").join(",")}],"b":"${padding.repeat(9)}"}`;
  expect(finishNow(decodeLargeJson(new TextEncoder().encode(text)))).toEqual(plainly(text));
});
