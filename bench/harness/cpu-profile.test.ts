import { expect, test } from "vitest";
import { hotFunctions } from "./cpu-profile.ts";

function node(id: number, functionName: string, lineNumber = 0) {
  const url = functionName.startsWith("(") ? "" : "file:///app/server.mjs";
  return { id, callFrame: { functionName, url, lineNumber } };
}

test("time is summed over the places from which a function is called, and idle time left out", () => {
  const nodes = [node(1, "(idle)"), node(2, "parse", 9), node(3, "write", 4), node(4, "parse", 9)];
  const profile = { nodes, samples: [1, 2, 3, 4], timeDeltas: [1000, 30, 40, 30] };
  expect(hotFunctions(profile, 5)).toEqual([
    { name: "parse", place: "server.mjs:10", share: 0.6 },
    { name: "write", place: "server.mjs:5", share: 0.4 },
  ]);
  expect(hotFunctions(profile, 1)).toHaveLength(1);
});

test("a profile without samples has no hot functions", () => {
  expect(hotFunctions({ nodes: [] }, 5)).toEqual([]);
});
