import { expect, test } from "vitest";
import { parseCommand, UsageError } from "./command-line.ts";

test("actions and their defaults", () => {
  expect(parseCommand(["scenarios"])).toEqual({ action: "scenarios", record: false, only: "" });
  expect(parseCommand(["replay", "--only", "lists"])).toEqual({ action: "replay", only: "lists" });
  expect(parseCommand(["differences"])).toEqual({ action: "differences" });
  expect(parseCommand(["random", "--requests", "60", "--seed", "x"])).toEqual({
    action: "random",
    requests: 60,
    seed: "x",
    shrinks: 20,
  });
  expect(parseCommand(["validation", "--recorded", "--kind", "pods", "--kind", "jobs"])).toEqual({
    action: "validation",
    kinds: ["pods", "jobs"],
    show: 20,
    probe: undefined,
    recorded: true,
    record: false,
    recordAgreement: false,
    markdown: false,
  });
  expect(parseCommand(["--help"])).toEqual({ action: "help" });
});

test.each([
  [[]],
  [["nothing"]],
  [["scenarios", "random"]],
  [["random", "--requests", "-1"]],
  [["--x"]],
])("%j is refused", (args) => {
  expect(() => parseCommand(args)).toThrow(UsageError);
});
