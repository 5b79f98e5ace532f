import { expect, test } from "vitest";
import type { JsonValue } from "../json/json-value.ts";
import { goString, goText, goType } from "./go-text.ts";

test("values print as Go's %v prints them, keys sorted", () => {
  expect(goText({ b: [1, "x y", null, true], a: { z: 1.5 } })).toBe(
    "map[a:map[z:1.5] b:[1 x y <nil> true]]",
  );
});

test.each([
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [1234567.25, "1.23456725e+06"],
  [123456.5, "123456.5"],
  [1e30, "1e+30"],
  [1000000, "1000000"],
  [-2.5e-7, "-2.5e-07"],
])("the number %d prints as %s", (value, text) => {
  expect(goText(value)).toBe(text);
});

test("a bigint prints exactly", () => {
  expect(goText(9007199254740993n)).toBe("9007199254740993");
});

test("%s of what is no string is Go's complaint", () => {
  expect(goString("x")).toBe("x");
  expect(goString(5)).toBe("%!s(int64=5)");
  expect(goString(true)).toBe("%!s(bool=true)");
  expect(goString(null)).toBe("%!s(<nil>)");
  expect(goString({ a: 5, b: [null, "x"] })).toBe("map[a:%!s(int64=5) b:[<nil> x]]");
});

test("types are those of decoded Go values", () => {
  const values: JsonValue[] = [{}, [], "", 1, 2n, 1.5, true, null];
  expect(values.map(goType)).toEqual([
    "map[string]interface {}",
    "[]interface {}",
    "string",
    "int64",
    "int64",
    "float64",
    "bool",
    "%!s(<nil>)",
  ]);
});

test("a value deeper than any stack still prints", () => {
  let deep: JsonValue = {};
  for (let level = 0; level < 100_000; level++) deep = { a: deep };
  expect(goText(deep)).toMatch(/^map\[a:map\[a:.*a:\.\.\.\]+$/);
});
