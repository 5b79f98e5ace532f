import { expect, test } from "vitest";
import { BOOL, DYN, INT, listOf, opaque, STRING } from "../expression-types/type.ts";
import { checkFormatCall } from "./check-format.ts";

test("a format whose clauses take its arguments is fine", () => {
  const args = [{ type: STRING }, { type: INT }, { type: DYN }];
  expect(checkFormatCall("%s %d%% %e", args)).toBeUndefined();
});

test("an argument that a clause does not take is pointed at", () => {
  expect(checkFormatCall("%s %d", [{ type: STRING }, { type: BOOL }])).toEqual({
    message: "error during formatting: decimal clause can only be used on integers, was given bool",
    path: [1],
  });
});

test("elements of literal lists are looked into for %s", () => {
  const list = { type: listOf(DYN), elements: [{ type: INT }, { type: opaque("net.IP") }] };
  expect(checkFormatCall("%s", [list])?.path).toEqual([0, 1]);
});

test("counts are compared both ways", () => {
  expect(checkFormatCall("%s %s", [{ type: STRING }])?.message).toBe("index 1 out of range");
  expect(checkFormatCall("%s", [{ type: STRING }, { type: STRING }])).toEqual({
    message: "too many arguments supplied to string.format (expected 1, got 2)",
    path: [],
  });
});
