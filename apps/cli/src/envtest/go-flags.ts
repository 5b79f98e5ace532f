/** Whether a flag takes a value, or stands alone and means true. */
export type FlagSort = "value" | "boolean";

interface GivenFlag {
  readonly name: string;
  readonly value: string;
}

export interface GoFlags {
  /** In their order. */
  readonly given: readonly GivenFlag[];
  /** As they were given, values included. */
  readonly unknown: readonly string[];
  readonly words: readonly string[];
}

/** A flag cannot be used as it was given. */
export class GoFlagError extends Error {
  readonly code = "flag-unusable";
  override readonly name = "GoFlagError";
}

/**
 * Reads a command line as Go programs do: `--name=value`, `--name value`, one dash or two, `_` for
 * `-` in names, `-v2`; a boolean flag takes a value after `=` only. Of a flag that nobody knows, the
 * next word is the value unless it looks like a flag.
 */
export function readGoFlags(
  args: readonly string[],
  known: ReadonlyMap<string, FlagSort>,
): GoFlags {
  const given: GivenFlag[] = [];
  const unknown: string[] = [];
  const words: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]!;
    if (word === "--") {
      words.push(...args.slice(at + 1));
      break;
    }
    const [, rawName, attached] = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (rawName === undefined) {
      words.push(word);
      continue;
    }
    const short = shortFlag(word);
    const name = short?.name ?? rawName.replaceAll("_", "-");
    const sort = known.get(name);
    const next = args[at + 1];
    const value = attached ?? short?.value;
    if (sort === undefined) {
      const follows = value === undefined && next !== undefined && !next.startsWith("-");
      unknown.push(follows ? `${word} ${next}` : word);
      if (follows) at += 1;
    } else if (value !== undefined || sort === "boolean") {
      given.push({ name, value: value ?? "true" });
    } else if (next === undefined) {
      throw new GoFlagError(`flag needs an argument: --${name}`);
    } else {
      given.push({ name, value: next });
      at += 1;
    }
  }
  return { given, unknown, words };
}

/** `-v2`: the only flag with a short name that these programs have. */
function shortFlag(word: string): { name: string; value: string } | undefined {
  const [, value] = /^-v(\d+)$/.exec(word) ?? [];
  return value === undefined ? undefined : { name: "v", value };
}

/** The last value of a flag counts. */
export function lastValue(flags: GoFlags, name: string): string | undefined {
  return flags.given.findLast((flag) => flag.name === name)?.value;
}

/** Every value of a flag whose values may also stand in one list. */
export function listedValues(flags: GoFlags, name: string): string[] {
  return flags.given
    .filter((flag) => flag.name === name)
    .flatMap((flag) => flag.value.split(","))
    .filter((value) => value !== "");
}
