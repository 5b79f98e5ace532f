import { expect, test } from "vitest";
import { parseCommand, UsageError } from "./command-line.ts";

test("a target is enough; seconds, seed and case can be given", () => {
  expect(parseCommand(["cel"])).toEqual({
    action: "fuzz",
    target: "cel",
    seconds: 60,
    seed: expect.stringMatching(/^\d+$/),
    from: 0,
  });
  const args = ["json", "--seconds", "5", "--seed", "s", "--case", "7"];
  expect(parseCommand(args)).toEqual({
    action: "fuzz",
    target: "json",
    seconds: 5,
    seed: "s",
    from: 7,
  });
  expect(parseCommand(["yaml", "--input", "a.bin"])).toEqual({
    action: "input",
    target: "yaml",
    file: "a.bin",
  });
  expect(parseCommand(["--help"])).toEqual({ action: "help" });
});

test.each([[[]], [["nonsense"]], [["json", "yaml"]], [["json", "--seconds", "-1"]], [["--bad"]]])(
  "%j is refused with what was expected",
  (args) => {
    expect(() => parseCommand(args)).toThrow(UsageError);
  },
);
