import { expect, test } from "vitest";
import { judge } from "./scorecard.ts";

const row = { what: "create", unit: "us", aim: { peerTimes: 5, floorTimes: 2 } };

test("an aim is reached when both ratios keep it", () => {
  const verdict = judge({ ...row, costs: { ours: [200], peer: [1000], floor: [100] } });
  expect(verdict.reached).toBe(true);
  expect(verdict.missed).toEqual([]);
  expect(verdict.cells.slice(5)).toEqual(["5", 2, "1/5 of the peer, at most 2x bare", "yes"]);
});

test("a missed aim is told with what was reached", () => {
  const verdict = judge({ ...row, costs: { ours: [250], peer: [1000], floor: [100] } });
  expect(verdict.reached).toBe(false);
  expect(verdict.missed).toEqual([
    "create: 1/4 of the peer, aim 1/5",
    "create: 2.50x the bare handler, aim at most 2x",
  ]);
});

test("what was not measured is neither reached nor missed", () => {
  const verdict = judge({ ...row, costs: { ours: [100], floor: [100] } });
  expect(verdict.reached).toBeUndefined();
  expect(verdict.missed).toEqual([]);
  expect(verdict.cells.at(-1)).toBe("?");
});

test("the interval of several rounds goes with the ratio", () => {
  const verdict = judge({ ...row, costs: { ours: [10, 10, 10], peer: [100, 100, 100] } });
  expect(verdict.cells[5]).toBe("10 (10 to 10)");
});
