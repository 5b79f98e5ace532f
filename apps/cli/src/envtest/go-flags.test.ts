import { array, assert, constantFrom, property, record, string } from "fast-check";
import { expect, test } from "vitest";
import { type FlagSort, lastValue, listedValues, readGoFlags } from "./go-flags.ts";

const known: ReadonlyMap<string, FlagSort> = new Map([
  ["secure-port", "value"],
  ["etcd-servers", "value"],
  ["allow-privileged", "boolean"],
  ["v", "value"],
]);

function given(...args: string[]): string[] {
  return readGoFlags(args, known).given.map(({ name, value }) => `${name}=${value}`);
}

test("a value stands behind = or in the next word, behind one dash or two", () => {
  expect(
    given("--secure-port=1", "--secure-port", "2", "-secure-port", "3", "-secure-port=4"),
  ).toEqual(["secure-port=1", "secure-port=2", "secure-port=3", "secure-port=4"]);
  expect(given("--secure_port=1")).toEqual(["secure-port=1"]);
  expect(given("--etcd-servers=http://a?b=c")).toEqual(["etcd-servers=http://a?b=c"]);
  expect(given("--etcd-servers=")).toEqual(["etcd-servers="]);
});

test("a boolean flag takes no next word", () => {
  const flags = readGoFlags(["--allow-privileged", "word", "--allow-privileged=false"], known);
  expect(flags.given.map(({ value }) => value)).toEqual(["true", "false"]);
  expect(flags.words).toEqual(["word"]);
});

test("the verbosity is given in any of its ways", () => {
  expect(given("-v=2", "-v", "3", "-v4", "--v=5")).toEqual(["v=2", "v=3", "v=4", "v=5"]);
});

test("the next word is the value of an unknown flag unless it looks like one", () => {
  const args = ["--new", "x", "--bare", "--other=1", "--end"];
  expect(readGoFlags(args, known)).toEqual({
    given: [],
    unknown: ["--new x", "--bare", "--other=1", "--end"],
    words: [],
  });
});

test("everything behind -- is a word", () => {
  expect(readGoFlags(["--", "--secure-port=1"], known).words).toEqual(["--secure-port=1"]);
});

test("a flag without its value is refused", () => {
  expect(() => given("--secure-port")).toThrow("flag needs an argument: --secure-port");
});

test("the last value counts, and lists add up", () => {
  const flags = readGoFlags(["--etcd-servers=a,b", "--etcd-servers", "c,"], known);
  expect(lastValue(flags, "etcd-servers")).toBe("c,");
  expect(listedValues(flags, "etcd-servers")).toEqual(["a", "b", "c"]);
  expect(lastValue(flags, "v")).toBeUndefined();
});

test("whatever stands behind = is the value", () => {
  const one = record({ name: constantFrom("secure-port", "etcd-servers", "v"), value: string() });
  assert(
    property(array(one), (flags) => {
      const args = flags.map(({ name, value }) => `--${name}=${value}`);
      expect(readGoFlags(args, known)).toEqual({ given: flags, unknown: [], words: [] });
    }),
  );
});
