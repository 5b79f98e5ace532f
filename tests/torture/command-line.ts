import { parseArgs } from "node:util";
import { type Plant, plants } from "./store/plant.ts";

/** What the user asked for. A part that was not asked for is undefined. */
export interface TortureCommand {
  readonly kills: number | undefined;
  readonly images: number | undefined;
  readonly disks: number | undefined;
  readonly trials: number | undefined;
  readonly plant: Plant | undefined;
  readonly seed: string;
  /** Milliseconds after which each part stops. */
  readonly maxTime: number | undefined;
  readonly keepsFiles: boolean;
}

/** The command line makes no sense. The message says what was got and what was expected. */
export class UsageError extends Error {
  readonly code = "torture-usage";
}

export const help = `Tortures the durable store, then looks whether it kept its promises.

  npm run torture -- store [parts] [options]

Parts (without any: all of them)
  --kills N           kill a writer with SIGKILL N times (200)
  --power-loss        rebuild the disk as after a power loss, see --images
  --full-disk         let writers fill small disks, see --disks
  --flip-bytes        damage files, then open them, see --trials

Options
  --images N          images of a disk after a power loss (200)
  --disks N           disks that are filled (12)
  --trials N          damaged directories (400)
  --plant BUG         plant a bug that must be found: ${plants.join(", ")}
  --seed S            repeat the choices of another run
  --seconds N         stop each part after N seconds
  --keep              leave the files for inspection
  --help              this text

Examples
  npm run torture -- store --kills 200
  npm run torture -- store --kills 50 --plant ack-before-commit
  npm run torture -- store --power-loss --images 1000 --seed 7
  npm run torture -- store --power-loss --plant synchronous-off

Exit code: 0 no violation, 1 violations, 2 the command could not be run.
Power loss and full disk need Linux and a C compiler.
`;

const partDefaults = { kills: 200, images: 200, disks: 12, trials: 400 };

/** Throws UsageError; undefined when help was asked for. */
export function parseCommand(args: readonly string[]): TortureCommand | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  if (positionals.length !== 1 || positionals[0] !== "store")
    throw new UsageError(
      `expected what to torture ("store"), got ${positionals.join(" ") || "nothing"}`,
    );
  const asked = choose(values);
  return {
    kills: asked.kills ? count("kills", values.kills, partDefaults.kills) : undefined,
    images: asked.powerLoss ? count("images", values.images, partDefaults.images) : undefined,
    disks: asked.fullDisk ? count("disks", values.disks, partDefaults.disks) : undefined,
    trials: asked.flipBytes ? count("trials", values.trials, partDefaults.trials) : undefined,
    plant: plantOf(values.plant),
    seed: values.seed ?? String(Math.floor(Math.random() * 1e9)),
    maxTime: values.seconds === undefined ? undefined : count("seconds", values.seconds, 0) * 1000,
    keepsFiles: values.keep ?? false,
  };
}

type Values = ReturnType<typeof parse>["values"];

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        kills: text,
        "power-loss": flag,
        "full-disk": flag,
        "flip-bytes": flag,
        images: text,
        disks: text,
        trials: text,
        plant: text,
        seed: text,
        seconds: text,
        keep: flag,
        help: flag,
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A count names its part; a planted bug goes where it can be found; nothing named means all. */
function choose(values: Values): Record<"kills" | "powerLoss" | "fullDisk" | "flipBytes", boolean> {
  const named = {
    kills: values.kills !== undefined,
    powerLoss: values["power-loss"] === true || values.images !== undefined,
    fullDisk: values["full-disk"] === true || values.disks !== undefined,
    flipBytes: values["flip-bytes"] === true || values.trials !== undefined,
  };
  if (Object.values(named).includes(true)) {
    if (values.plant !== undefined && (named.fullDisk || named.flipBytes))
      throw new UsageError("--plant goes with --kills and --power-loss only");
    return named;
  }
  if (values.plant === undefined)
    return { kills: true, powerLoss: true, fullDisk: true, flipBytes: true };
  return {
    ...named,
    kills: values.plant === "ack-before-commit",
    powerLoss: values.plant === "synchronous-off",
  };
}

function count(option: string, given: string | undefined, otherwise: number): number {
  if (given === undefined) return otherwise;
  const number = Number(given);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new UsageError(`--${option} expects a whole number from 1 on, got ${given}`);
  return number;
}

function plantOf(given: string | undefined): Plant | undefined {
  const plant = plants.find((each) => each === given);
  if (given !== undefined && plant === undefined)
    throw new UsageError(`--plant expects ${plants.join(" or ")}, got ${given}`);
  return plant;
}
