import type { TopologySpreadConstraint } from "@homeostat/object-model/core-v1";
import { Place } from "@homeostat/schema";
import { expect, test } from "vitest";
import { topologySpreadRule } from "./topology-spread.ts";

const fine: TopologySpreadConstraint = {
  maxSkew: 1,
  topologyKey: "zone",
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: { matchLabels: { a: "b" } },
};

function problemsOf(
  constraints: readonly TopologySpreadConstraint[],
  old?: readonly TopologySpreadConstraint[],
): readonly string[] {
  const place = Place.root(undefined).child("s");
  topologySpreadRule(old)(constraints, place);
  return place.errors.map(String);
}

test("each constraint is told of that is repeated later", () => {
  expect(problemsOf([fine, fine, { ...fine, whenUnsatisfiable: "ScheduleAnyway" }])).toEqual([
    's[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"',
  ]);
});

test.each<[Partial<TopologySpreadConstraint>, readonly string[]]>([
  [
    { maxSkew: 0, topologyKey: "", whenUnsatisfiable: "X" },
    [
      ".maxSkew: Invalid value: 0: must be greater than zero",
      ".topologyKey: Required value: can not be empty",
      '.whenUnsatisfiable: Unsupported value: "X": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ],
  ],
  [
    { minDomains: 2, whenUnsatisfiable: "ScheduleAnyway" },
    [
      ".minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway",
    ],
  ],
  [
    { nodeTaintsPolicy: "" },
    ['.nodeTaintsPolicy: Unsupported value: "": supported values: "Honor", "Ignore"'],
  ],
])("%j", (more, expected) => {
  expect(problemsOf([{ ...fine, ...more }])).toEqual(expected.map((problem) => `s[0]${problem}`));
});

test("keys that the old constraints had in their selector as well have to be apart from now on", () => {
  const matchExpressions = [{ key: "a", operator: "Exists" }];
  const both = { ...fine, labelSelector: { matchLabels: { a: "b" }, matchExpressions } };
  const old = [{ ...both, matchLabelKeys: ["a"] }];
  expect(problemsOf(old)).toEqual([
    's[0][0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector',
  ]);
  expect(problemsOf(old, old)).toEqual([
    's[0].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector',
  ]);
});
