import { expect, test } from "vitest";
import { parseCommand, UsageError } from "./command-line.ts";

test("without a part everything is tortured", () => {
  expect(parseCommand(["store", "--seed", "7"])).toEqual({
    kills: 200,
    images: 200,
    disks: 12,
    trials: 400,
    plant: undefined,
    seed: "7",
    maxTime: undefined,
    keepsFiles: false,
  });
});

test("naming a part or its count selects it alone", () => {
  expect(parseCommand(["store", "--kills", "3"])).toMatchObject({ kills: 3, images: undefined });
  expect(parseCommand(["store", "--power-loss"])).toMatchObject({ kills: undefined, images: 200 });
  expect(parseCommand(["store", "--disks", "2", "--flip-bytes", "--seconds", "9"])).toMatchObject({
    kills: undefined,
    images: undefined,
    disks: 2,
    trials: 400,
    maxTime: 9_000,
  });
});

test("a planted bug selects the part that finds it", () => {
  expect(parseCommand(["store", "--plant", "ack-before-commit"])).toMatchObject({ kills: 200 });
  expect(parseCommand(["store", "--plant", "synchronous-off"])).toMatchObject({
    kills: undefined,
    images: 200,
  });
});

test("help is asked for by --help", () => {
  expect(parseCommand(["--help"])).toBeUndefined();
});

test.each([
  [["queue"], 'expected what to torture ("store"), got queue'],
  [[], 'expected what to torture ("store"), got nothing'],
  [["store", "--kills", "0"], "--kills expects a whole number from 1 on, got 0"],
  [["store", "--plant", "x"], "--plant expects ack-before-commit or synchronous-off, got x"],
  [
    ["store", "--flip-bytes", "--plant", "synchronous-off"],
    "--plant goes with --kills and --power-loss only",
  ],
  [["store", "--frobnicate"], "Unknown option '--frobnicate'"],
])("the command line %j is refused", (args, message) => {
  expect(() => parseCommand(args)).toThrow(UsageError);
  expect(() => parseCommand(args)).toThrow(message);
});
