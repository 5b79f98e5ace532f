import { expect, test } from "vitest";
import {
  type ConditionUpdate,
  findCondition,
  isConditionFalse,
  isConditionTrue,
  removeCondition,
  setCondition,
} from "./condition.ts";

const EARLIER = "2026-01-01T00:00:00Z";
const NOW = "2026-01-02T00:00:00Z";

const ready: ConditionUpdate = { type: "Ready", status: "True", reason: "Up", message: "all up" };
const before = Object.freeze(setCondition(undefined, ready, EARLIER));

test("a first condition takes the time of now, or its own", () => {
  expect(before).toEqual([{ ...ready, lastTransitionTime: EARLIER }]);
  const own = setCondition([], { ...ready, lastTransitionTime: EARLIER }, NOW);
  expect(own[0]?.lastTransitionTime).toBe(EARLIER);
});

test("setting the same again returns the same list", () => {
  expect(setCondition(before, ready, NOW)).toBe(before);
  expect(setCondition(before, { ...ready, observedGeneration: 0 }, NOW)).toBe(before);
  expect(setCondition(before, { ...ready, lastTransitionTime: NOW }, NOW)).toBe(before);
});

test("the transition time moves with the status", () => {
  const down = { ...ready, status: "False", reason: "Down" } as const;
  expect(setCondition(before, down, NOW)).toEqual([{ ...down, lastTransitionTime: NOW }]);
  const known = setCondition(before, { ...down, lastTransitionTime: "2026-01-01T12:00:00Z" }, NOW);
  expect(known[0]?.lastTransitionTime).toBe("2026-01-01T12:00:00Z");
});

test.each([
  { ...ready, reason: "StillUp" },
  { ...ready, message: "still up" },
  { ...ready, observedGeneration: 2 },
])("the transition time stays when only the rest changes: %j", (update) => {
  const after = setCondition(before, update, NOW);
  expect(after).toEqual([{ ...update, lastTransitionTime: EARLIER }]);
  expect(after).not.toBe(before);
});

test("an observed generation is taken away when it is no longer given", () => {
  const observed = setCondition(before, { ...ready, observedGeneration: 2 }, NOW);
  expect(setCondition(observed, ready, NOW)).toEqual(before);
});

test("conditions keep their places, and nothing given is changed", () => {
  const two = setCondition(before, { ...ready, type: "Synced" }, NOW);
  const after = setCondition(two, { ...ready, status: "Unknown" }, NOW);
  expect(after.map(({ type, status }) => [type, status])).toEqual([
    ["Ready", "Unknown"],
    ["Synced", "True"],
  ]);
  expect(two.map(({ status }) => status)).toEqual(["True", "True"]);
});

test("conditions are found and judged by type", () => {
  expect(findCondition(before, "Ready")).toBe(before[0]);
  expect(findCondition(undefined, "Ready")).toBeUndefined();
  expect(isConditionTrue(before, "Ready")).toBe(true);
  expect(isConditionFalse(before, "Ready")).toBe(false);
  expect(isConditionTrue(before, "Synced")).toBe(false);
  expect(isConditionFalse(before, "Synced")).toBe(false);
});

test("removing a condition that is not there returns the same list", () => {
  expect(removeCondition(before, "Synced")).toBe(before);
  expect(removeCondition(before, "Ready")).toEqual([]);
  expect(removeCondition(undefined, "Ready")).toEqual([]);
});
