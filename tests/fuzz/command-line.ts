import { parseArgs } from "node:util";
import { systemRandom } from "@homeostat/concurrency";
import { targets } from "./targets.ts";

export type FuzzCommand =
  | { readonly action: "help" }
  | {
      readonly action: "fuzz";
      readonly target: string;
      readonly seconds: number;
      readonly seed: string;
      /** The first case. */
      readonly from: number;
    }
  /** One saved input again. */
  | { readonly action: "input"; readonly target: string; readonly file: string };

/** The command line makes no sense. The message says what was got and what was expected. */
export class UsageError extends Error {
  readonly code = "fuzz-usage";
  override readonly name = "UsageError";
}

export const help = `Tries made-up and spoiled inputs on a target until a law breaks or the time is up.

  npm run fuzz -- <target> [options]

Targets
  ${[...targets.keys()].join(", ")}

Options
  --seconds N     stop after N seconds (60)
  --seed S        repeat the inputs of another run
  --case K        begin with the input of this number
  --input FILE    try one saved input and nothing else
  --help          this text

Examples
  npm run fuzz -- cel --seconds 600
  npm run fuzz -- json --seed 4711 --case 1234
  npm run fuzz -- yaml --input fuzz-yaml-4711-1234.bin

An input that breaks a law is written to a file in the working directory and printed with its seed.
Exit code: 0 no finding, 1 a finding, 2 the command could not be run.
`;

/** Throws UsageError. */
export function parseCommand(args: readonly string[]): FuzzCommand {
  const { values, positionals } = parse(args);
  if (values.help === true) return { action: "help" };
  const [target = "", ...more] = positionals;
  if (!targets.has(target) || more.length > 0) {
    const got = positionals.join(" ") || "nothing";
    throw new UsageError(`expected one of ${[...targets.keys()].join(", ")}; got ${got}`);
  }
  if (values.input !== undefined) return { action: "input", target, file: values.input };
  return {
    action: "fuzz",
    target,
    seconds: count("seconds", values.seconds ?? "60"),
    seed: values.seed ?? String(systemRandom.below(2 ** 31)),
    from: count("case", values.case ?? "0"),
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { seconds: text, seed: text, case: text, input: text, help: { type: "boolean" } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function count(option: string, given: string): number {
  if (!/^\d{1,9}$/.test(given)) {
    throw new UsageError(`--${option} expects a whole number, got ${JSON.stringify(given)}`);
  }
  return Number(given);
}
