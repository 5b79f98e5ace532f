import { expect, test } from "vitest";
import { readReport, summaryLines } from "./ginkgo-report.ts";

const spec = (text: string, more: object = {}): object => ({
  ContainerHierarchyTexts: ["[sig-auth] ServiceAccounts"],
  LeafNodeType: "It",
  LeafNodeText: text,
  State: "passed",
  RunTime: 1_500_000_000,
  NumAttempts: 1,
  ...more,
});

const report = (...specs: readonly object[]): string => JSON.stringify([{ SpecReports: specs }]);

test("A test has the name that Ginkgo prints, and its time in seconds", () => {
  expect(readReport(report(spec("should work [Conformance]")))).toEqual([
    {
      name: "[sig-auth] ServiceAccounts should work [Conformance]",
      state: "passed",
      seconds: 1.5,
      message: "",
    },
  ]);
});

test("Tests that were not wanted do not count, those that skipped themselves do", () => {
  const results = readReport(
    report(
      spec("unwanted", { State: "skipped", NumAttempts: 0 }),
      spec("unable", { State: "skipped", Failure: { Message: "one node only" } }),
    ),
  );
  expect(results.map(({ name, state, message }) => [name, state, message])).toEqual([
    ["[sig-auth] ServiceAccounts unable", "skipped", "one node only"],
  ]);
});

test.each(["failed", "panicked", "timedout", "interrupted"])(
  "A test that is %s has failed",
  (state) => {
    const Failure = { Message: "no", Location: { FileName: "a.go", LineNumber: 7 } };
    const [result] = readReport(report(spec("x", { State: state, Failure })));
    expect(result).toMatchObject({ state: "failed", message: "no (a.go:7)" });
  },
);

test("What fails around the tests is told, and nothing of what passes there", () => {
  const around = { ContainerHierarchyTexts: null, LeafNodeText: "", NumAttempts: 0 };
  const results = readReport(
    report(
      spec("", { ...around, LeafNodeType: "SynchronizedBeforeSuite", State: "failed" }),
      spec("", { ...around, LeafNodeType: "ReportAfterSuite" }),
    ),
  );
  expect(results.map(({ name, state }) => [name, state])).toEqual([
    ["SynchronizedBeforeSuite", "failed"],
  ]);
});

test("The summary has a line for each group and a column for each run", () => {
  const ours = readReport(report(spec("a"), spec("b", { State: "failed" })));
  const theirs = readReport(report(spec("a"), spec("b")));
  const lines = summaryLines(
    new Map([
      ["homeostat", ours],
      ["kube-apiserver", theirs],
    ]),
  );
  expect(lines.map((line) => line.split(/\s{2,}/))).toEqual([
    ["passed/failed/skipped", "homeostat", "kube-apiserver"],
    ["sig-auth", "1/1/0 in 3 s", "2/0/0 in 3 s"],
    ["all", "1/1/0 in 3 s", "2/0/0 in 3 s"],
  ]);
});
