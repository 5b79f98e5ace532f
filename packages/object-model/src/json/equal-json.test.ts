import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cloneJson } from "./clone-json.ts";
import { decodeJson } from "./decode-json.ts";
import { encodeJson } from "./encode-json.ts";
import { equalJson } from "./equal-json.ts";
import { JsonDepthError } from "./json-error.ts";
import type { JsonValue } from "./json-value.ts";

test("scalars are equal to themselves and to nothing else", () => {
  const scalars = [null, true, false, 0, 1, 1.5, 2n ** 60n, "", "0", "null", [], {}];
  for (const left of scalars) {
    for (const right of scalars) expect(equalJson(left, right)).toBe(left === right);
  }
});

test("key order, undefined members and -0 make no difference", () => {
  expect(equalJson({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  expect(equalJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
  expect(equalJson({ a: 1 }, { a: 1, b: undefined })).toBe(true);
  expect(equalJson([-0], [0])).toBe(true);
});

test("a bigint equals the number that is written the same", () => {
  expect(equalJson([5n], [5])).toBe(true);
  expect(equalJson(2 ** 60, 2n ** 60n)).toBe(false);
  expect(equalJson(Number("1152921504606847000"), 1152921504606847000n)).toBe(true);
  expect(equalJson(9007199254740993n, 9007199254740992)).toBe(false);
  expect(equalJson(5n, "5")).toBe(false);
});

test("a missing or additional member, element or nesting makes a difference", () => {
  expect(equalJson({ a: 1 }, { a: 1, b: 1 })).toBe(false);
  expect(equalJson({ a: 1, b: 1 }, { a: 1 })).toBe(false);
  expect(equalJson({ a: 1 }, { b: 1 })).toBe(false);
  expect(equalJson([1], [1, 1])).toBe(false);
  expect(equalJson([], {})).toBe(false);
  expect(equalJson({ 0: "a" }, ["a"])).toBe(false);
  expect(equalJson([[1]], [[2]])).toBe(false);
});

test("names that objects inherit count as members only where they are held", () => {
  expect(equalJson(JSON.parse('{"__proto__":1}'), {})).toBe(false);
  expect(equalJson({}, JSON.parse('{"__proto__":1}'))).toBe(false);
  expect(equalJson(JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}'))).toBe(true);
  expect(equalJson({ constructor: Object }, {})).toBe(false);
});

test("two values are equal exactly if they are written the same with sorted keys", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(value, value, (left, right) => {
      expect(equalJson(left, right)).toBe(encodeJson(sorted(left)) === encodeJson(sorted(right)));
      expect(equalJson(left, decodeJson(encodeJson(sorted(left))))).toBe(true);
    }),
  );
});

test("values of the greatest depth are compared and copied", () => {
  const value = decodeJson("[".repeat(10_000) + "]".repeat(10_000));
  const copy = cloneJson(value);
  expect(equalJson(value, copy)).toBe(true);
  expect(equalJson(value, [copy])).toBe(false);
});

test("comparing values that contain themselves ends in an error, also where they branch", () => {
  const cycle = (): JsonValue[] => {
    const list: JsonValue[] = [];
    list.push(list, list, list);
    return list;
  };
  expect(() => equalJson(cycle(), cycle())).toThrow(JsonDepthError);
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
