import { expect, test } from "vitest";
import { chosenSizes } from "./chosen-sizes.ts";

const sizes = { full: { rounds: 5, objects: 100 }, quick: { rounds: 1, objects: 3 } };

test("a quick run has the quick sizes, whatever rounds are asked for", () => {
  expect(chosenSizes(sizes, true, "7")).toEqual({ rounds: 1, objects: 3 });
});

test("a full run has the rounds that are asked for, or its own", () => {
  expect(chosenSizes(sizes, false, "2")).toEqual({ rounds: 2, objects: 100 });
  expect(chosenSizes(sizes, false, "")).toEqual({ rounds: 5, objects: 100 });
});

test.each(["0", "-1", "1.5", "many"])("%s rounds are refused", (asked) => {
  expect(() => chosenSizes(sizes, false, asked)).toThrow(
    `HOMEOSTAT_BENCH_ROUNDS is "${asked}"; expected a whole number of rounds from 1 on`,
  );
});
