import { expect, test } from "vitest";
import { compilePattern, PatternError } from "./pattern.ts";

test("finds matches from left to right, not an empty one behind another", () => {
  expect(compilePattern("[0-9]*").findAll("123 a 45")).toEqual(["123", "", "", "45"]);
  expect(compilePattern("").findAll("a😀b")).toEqual(["", "", "", ""]);
  expect(compilePattern("[0-9]+").findAll("1 2 3", 2)).toEqual(["1", "2"]);
  expect(compilePattern("[0-9]+").find("ab")).toBe("");
});

test("says what Go says of a wrong pattern", () => {
  expect(() => compilePattern("[")).toThrow(PatternError);
  expect(() => compilePattern("[")).toThrow("error parsing regexp: missing closing ]: `[`");
  expect(() => compilePattern("\\")).toThrow(
    "error parsing regexp: trailing backslash at end of expression: ``",
  );
});

test("gives the same pattern again while it is in use, and drops old ones", () => {
  const pattern = compilePattern("kept");
  expect(compilePattern("kept")).toBe(pattern);
  for (let index = 0; index < 1_000; index++) compilePattern(`other ${index}`);
  expect(compilePattern("kept")).not.toBe(pattern);
});

test("matches in linear time", () => {
  const text = `${"a".repeat(50_000)}!`;
  expect(compilePattern("(a+)+$").test(text)).toBe(false);
});
