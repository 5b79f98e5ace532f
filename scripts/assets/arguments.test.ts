import { expect, test } from "vitest";
import { parseArguments, UsageError } from "./arguments.ts";

const known = ["etcd", "etcd-driver", "kubectl"];

test("no name means every asset", () => {
  expect(parseArguments([], known)).toEqual({ kind: "build", names: known, force: false });
});

test("named assets are built once each, in the order of the catalog", () => {
  expect(parseArguments(["kubectl", "etcd", "etcd", "--force"], known)).toEqual({
    kind: "build",
    names: ["etcd", "kubectl"],
    force: true,
  });
});

test("an unknown name is refused with the names that exist", () => {
  expect(() => parseArguments(["etcd", "ectd"], known)).toThrow(
    new UsageError('There is no asset "ectd"; there are: etcd, etcd-driver, kubectl'),
  );
});

test("an unknown option is refused by its name", () => {
  expect(() => parseArguments(["--froce"], known)).toThrow(
    new UsageError("Unknown option '--froce' (--help shows the options)"),
  );
});

test("help wins over everything, list over building", () => {
  expect(parseArguments(["--help", "nothing-like-that"], known)).toEqual({ kind: "help" });
  expect(parseArguments(["-h"], known)).toEqual({ kind: "help" });
  expect(parseArguments(["--list", "--force"], known)).toEqual({ kind: "list" });
});
