import { parseArgs } from "node:util";
import { UsageError } from "../command-line.ts";
import { type Plant, plants } from "./plant.ts";

/** What `npm run torture -- api-server` was asked for. */
export interface ServerTortureCommand {
  readonly kills: number;
  readonly plant: Plant | undefined;
  readonly seed: string;
  /** Milliseconds after which it stops. */
  readonly maxTime: number | undefined;
  readonly keepsFiles: boolean;
}

export const serverHelp = `Kills the API server under load, starts it again, and looks whether it kept its promises.

  npm run torture -- api-server [options]

Options
  --kills N           kill it with SIGKILL N times (50)
  --plant FAULT       plant a fault that must be found: ${plants.join(", ")}
  --seed S            repeat the choices of another run
  --seconds N         stop after N seconds
  --keep              leave the files for inspection
  --help              this text

Examples
  npm run torture -- api-server --kills 50
  npm run torture -- api-server --kills 8 --plant roll-back

Exit code: 0 no violation, 1 violations, 2 the command could not be run.
`;

/** Throws UsageError; undefined when help was asked for. */
export function parseServerCommand(args: readonly string[]): ServerTortureCommand | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const plant = plants.find((each) => each === values.plant);
  if (values.plant !== undefined && plant === undefined) {
    throw new UsageError(`--plant expects ${plants.join(" or ")}, got ${values.plant}`);
  }
  const seconds = count("seconds", values.seconds);
  return {
    kills: count("kills", values.kills) ?? 50,
    plant,
    seed: values.seed ?? String(Math.floor(Math.random() * 1e9)),
    maxTime: seconds === undefined ? undefined : seconds * 1000,
    keepsFiles: values.keep ?? false,
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: { kills: text, plant: text, seed: text, seconds: text, keep: flag, help: flag },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function count(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new UsageError(`--${option} expects a whole number from 1 on, got ${given}`);
  return number;
}
