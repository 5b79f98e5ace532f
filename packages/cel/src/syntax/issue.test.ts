import { expect, test } from "vitest";
import { printIssues } from "./issue.ts";

test("a place is shown by line and column with a mark under it", () => {
  expect(printIssues("1 +\n  x\n+ 2", [{ at: 6, message: "what is x" }])).toBe(
    "ERROR: <input>:2:3: what is x\n |   x\n | ..^",
  );
});

test("wide characters have wide marks, and tabs are shown as spaces", () => {
  expect(printIssues("é\t😀", [{ at: 2, message: "m" }])).toBe(
    "ERROR: <input>:1:3: m\n | é 😀\n | ．.＾",
  );
});

test("issues come in the order of their places", () => {
  const issues = [
    { at: 2, message: "second" },
    { at: 0, message: "first" },
    { at: undefined, message: "nowhere" },
  ];
  expect(printIssues("abc", issues).match(/nowhere|first|second/g)).toEqual([
    "nowhere",
    "first",
    "second",
  ]);
});

test("a hundred issues are shown and the others counted", () => {
  const issues = Array.from({ length: 103 }, () => ({ at: 0, message: "m" }));
  const lines = printIssues("a", issues).split("\n");
  expect(lines.filter((line) => line.startsWith("ERROR"))).toHaveLength(100);
  expect(lines.at(-1)).toBe("3 more errors were truncated");
});

test("a line too long to show is not shown", () => {
  expect(printIssues("a".repeat(16_385), [{ at: 0, message: "m" }])).toBe("ERROR: <input>:1:1: m");
});
