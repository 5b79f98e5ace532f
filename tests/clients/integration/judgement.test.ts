import { expect, test } from "vitest";
import { failuresOf, judge, type TestResults } from "./judgement.ts";
import { readKnownOutcomes } from "./known-outcomes.ts";
import type { Outcome } from "./test-outcome.ts";

const results = (outcomes: Readonly<Record<string, Outcome>>): TestResults =>
  new Map(
    Object.entries(outcomes).map(([name, outcome]) => [
      name,
      { outcome, seconds: 1, message: "why" },
    ]),
  );

const none = readKnownOutcomes("");

test("a test that passes on kube-apiserver only has failed", () => {
  const ours = results({ "a TestOne": "failed", "a TestTwo": "passed", "a TestThree": "skipped" });
  expect(judge(ours, results({ "a TestOne": "passed" }), none)).toEqual({
    failures: ["a TestOne\nwhy\nit passes on kube-apiserver"],
    remarks: [],
  });
});

test("a test that fails on both is told only", () => {
  const failed = results({ "a TestOne": "failed" });
  expect(judge(failed, failed, none)).toEqual({
    failures: [],
    remarks: ["fails on both: a TestOne"],
  });
});

test("a known difference is none, a known failure of both that has become one is", () => {
  const known = readKnownOutcomes("differs a TestOne no CBOR\noutside a TestTwo needs etcd\n");
  const ours = results({ "a TestOne": "failed", "a TestTwo": "failed" });
  const theirs = results({ "a TestOne": "passed", "a TestTwo": "passed" });
  const { failures, remarks } = judge(ours, theirs, known);
  expect(failures.map((each) => each.split("\n")[0])).toEqual(["a TestTwo"]);
  expect(remarks).toEqual(["differs: a TestOne (no CBOR)"]);
});

test("a known outcome that is no longer so is told", () => {
  const known = readKnownOutcomes("differs a TestOne no CBOR\n");
  expect(judge(results({ "a TestOne": "passed" }), results({}), known).remarks).toEqual([
    "passes by now: a TestOne (no CBOR)",
  ]);
});

test("failures of one side are those that failed", () => {
  expect(failuresOf(results({ "a TestOne": "failed", "a TestTwo": "skipped" }))).toEqual([
    "a TestOne\nwhy",
  ]);
});
