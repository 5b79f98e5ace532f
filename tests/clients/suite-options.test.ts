import { parseArgs } from "node:util";
import { expect, test } from "vitest";
import {
  chosen,
  isSuiteOptionError,
  positive,
  regularExpression,
  SuiteOptionError,
} from "./suite-options.ts";

const SERVERS = ["homeostat", "kube-apiserver"] as const;

test("without a choice all are taken, with one that one", () => {
  expect(chosen("--only", undefined, SERVERS)).toEqual(SERVERS);
  expect(chosen("--only", "kube-apiserver", SERVERS)).toEqual(["kube-apiserver"]);
  expect(positive("--minutes", "0.5")).toBe(0.5);
  expect(regularExpression("--focus", "a+").test("caab")).toBe(true);
});

test.each<[() => unknown, string]>([
  [
    () => chosen("--only", "etcd", SERVERS),
    '--only: expected one of homeostat, kube-apiserver; got "etcd"',
  ],
  [
    () => chosen("--only", "", SERVERS),
    '--only: expected one of homeostat, kube-apiserver; got ""',
  ],
  [() => positive("--minutes", "ten"), '--minutes: expected a number above 0, got "ten"'],
  [() => positive("--minutes", "0"), '--minutes: expected a number above 0, got "0"'],
  [() => positive("--minutes", ""), '--minutes: expected a number above 0, got ""'],
  [() => regularExpression("--focus", "("), '--focus: "(" is not a regular expression'],
])("%s is told", (ask, message) => {
  expect(ask).toThrow(new SuiteOptionError(message));
});

test("mistakes of the command line are told apart from what goes wrong in a run", () => {
  const mistakes = [
    () => chosen("--only", "etcd", SERVERS),
    () => parseArgs({ args: ["--olny=x"], options: { only: { type: "string" } } }),
    () => parseArgs({ args: ["--only"], options: { only: { type: "string" } } }),
    () => parseArgs({ args: ["stray"], options: {} }),
  ];
  for (const make of mistakes) expect(isSuiteOptionError(thrownBy(make))).toBe(true);
  expect(isSuiteOptionError(new TypeError("no server"))).toBe(false);
});

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
