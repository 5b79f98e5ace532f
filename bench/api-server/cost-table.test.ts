import { expect, test } from "vitest";
import { costCells } from "./cost-table.ts";

test("a cost is the median of the differences within rounds", () => {
  // The second round was disturbed: both of its figures are ten times what they should be.
  const measured = { with: [110, 1200, 130], without: [100, 1000, 125] };
  expect(costCells(measured)).toEqual([130, 125, "10 (5 to 200)"]);
});

test("one round gives a cost without an interval", () => {
  expect(costCells({ with: [90.04], without: [100] })).toEqual([90.04, 100, "-10"]);
});

test("what was not measured has no figures", () => {
  expect(costCells(undefined)).toEqual([undefined, undefined, undefined]);
});
