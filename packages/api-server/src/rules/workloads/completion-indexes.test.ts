import { assert, nat, property, uniqueArray } from "fast-check";
import { expect, test } from "vitest";
import { countIndexes, overlapProblem } from "./completion-indexes.ts";

const COMPLETIONS = 100;

/** As a controller writes them: neighbours as one interval. */
function print(indexes: readonly number[]): string {
  const pieces: [number, number][] = [];
  for (const index of indexes.toSorted((one, two) => one - two)) {
    const last = pieces.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else pieces.push([index, index]);
  }
  return pieces.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(",");
}

const indexSets = uniqueArray(nat({ max: COMPLETIONS - 1 }));

test("what is written is counted", () => {
  assert(
    property(indexSets, (indexes) => {
      expect(countIndexes(print(indexes), COMPLETIONS)).toEqual({ total: indexes.length });
    }),
  );
});

test("the first index that two texts share is found, and none where they share none", () => {
  assert(
    property(indexSets, indexSets, (ones, others) => {
      const shared = ones.filter((index) => others.includes(index));
      const problem = overlapProblem(print(ones), print(others), COMPLETIONS);
      expect(problem).toBe(
        shared.length === 0
          ? undefined
          : `failedIndexes and completedIndexes overlap at index: ${Math.min(...shared)}`,
      );
    }),
  );
});

test.each([
  ["1,0", "non-increasing order, previous: 1, current: 0"],
  ["2-1", "non-increasing order, previous: 2, current: 1"],
  ["100", 'too large index: "100"'],
  ["a", 'cannot convert string to integer for index: "a"'],
  [
    "0-1-2",
    "the fragment \"0-1-2\" violates the requirement that an index interval can have at most two parts separated by '-'",
  ],
])("%s is refused", (text, problem) => {
  expect(countIndexes(text, COMPLETIONS)).toEqual({ total: 0, problem });
});
