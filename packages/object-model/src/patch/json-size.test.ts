import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../json/json-value.ts";
import { jsonSize } from "./json-size.ts";

const character = fc.constantFrom("a", " ", '"', "\\", "\n", "\0", "<", "\u2028", "é", "€", "😀");

test("the size is that of the JSON text in UTF-8", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: character }), (value) => {
      const text = JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, "\\u0000");
      expect(jsonSize(value as JsonValue, () => {})).toBe(new TextEncoder().encode(text).length);
    }),
  );
});

test("characters that Go escapes count as their escapes", () => {
  expect(jsonSize("<>&\u2028", () => {})).toBe(2 + 4 * 6);
  expect(jsonSize('"\\\n\u0001', () => {})).toBe(2 + 2 + 2 + 2 + 6);
  expect(jsonSize({ a: 9007199254740993n }, () => {})).toBe('{"a":9007199254740993}'.length);
});

test("every object and list is visited, without a stack", () => {
  let deep: JsonValue = [];
  for (let level = 0; level < 200_000; level++) deep = level % 2 === 0 ? { a: deep } : [deep];
  let visits = 0;
  jsonSize(deep, () => visits++);
  expect(visits).toBe(200_001);
});
