import { expect, test } from "vitest";
import { parseArguments, UsageError } from "./arguments.ts";

const known = ["json", "store"];

test("no name means every benchmark", () => {
  expect(parseArguments([], known)).toEqual({
    kind: "run",
    names: known,
    quick: false,
    jsonFile: undefined,
  });
});

test("names and options may come in any order", () => {
  expect(parseArguments(["--quick", "store", "--json", "out.json"], known)).toEqual({
    kind: "run",
    names: ["store"],
    quick: true,
    jsonFile: "out.json",
  });
});

test("an unknown name is refused with the names that exist", () => {
  expect(() => parseArguments(["sotre"], known)).toThrow(
    new UsageError('There is no benchmark "sotre"; there are: json, store'),
  );
});

test("an option that is unknown or lacks its value is refused", () => {
  expect(() => parseArguments(["--fast"], known)).toThrow(/Unknown option '--fast'/);
  expect(() => parseArguments(["--json"], known)).toThrow(UsageError);
});

test("help and list win over running", () => {
  expect(parseArguments(["--help", "sotre"], known)).toEqual({ kind: "help" });
  expect(parseArguments(["--list"], known)).toEqual({ kind: "list" });
});
