import { expect, test } from "vitest";
import { readIntegrationOptions } from "./integration-options.ts";

test("without options there are packages, all tests and both sides", () => {
  const { packages, tests, known, only } = readIntegrationOptions([]);
  expect(packages).toContain("apiserver/apply");
  expect([tests.test("TestAnything"), known, only]).toEqual([true, false, undefined]);
});

test("packages are told apart by spaces or commas, and taken once", () => {
  const { packages } = readIntegrationOptions(["--packages", " dryrun,apiserver/apply dryrun"]);
  expect(packages).toEqual(["dryrun", "apiserver/apply"]);
});

test.each([
  [["--packages", " "], "--packages: expected names"],
  [["--packages", "../etc"], 'got "../etc"'],
  [["--tests", "("], "--tests:"],
  [["--only", "etcd"], "--only: expected one of homeostat, kube-apiserver"],
])("%j is refused", (args, message) => {
  expect(() => readIntegrationOptions(args)).toThrow(message);
});
