/**
 * Schedules of cron jobs: five fields (minute, hour, day of month, month, day of week) of numbers,
 * names, ranges, lists and steps, or a word (`@hourly`, `@every 1h`). Only whether they can be read;
 * what is wrong is said as the cron library of Kubernetes says it.
 */
import { DurationError, parseDuration } from "@homeostat/object-model";
import { locationProblem } from "./time-zones.ts";

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** What stands for `min`, `min + 1`, ... */
  readonly names?: readonly string[];
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const DAYS = "sun mon tue wed thu fri sat".split(" ");

const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const WORDS: ReadonlySet<string> = new Set([
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
]);

const EVERY = "@every ";

export function scheduleProblem(schedule: string): string | undefined {
  let text = schedule;
  if (/^(CRON_)?TZ=/.test(text)) {
    const space = text.indexOf(" ");
    const equals = text.indexOf("=");
    // The library falls over this, and Kubernetes picks it up.
    if (space === -1) {
      return "invalid schedule format: runtime error: slice bounds out of range [:-1]";
    }
    const zone = text.slice(equals + 1, space);
    const problem = locationProblem(zone);
    if (problem !== undefined) return `provided bad location ${zone}: ${problem}`;
    text = text.slice(space).trim();
  }
  return text.startsWith("@") ? wordProblem(text) : fieldsProblem(text);
}

function wordProblem(word: string): string | undefined {
  if (WORDS.has(word)) return undefined;
  if (!word.startsWith(EVERY)) return `unrecognized descriptor: ${word}`;
  try {
    parseDuration(word.slice(EVERY.length));
    return undefined;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return `failed to parse duration ${word}: ${error.message}`;
  }
}

function fieldsProblem(text: string): string | undefined {
  const fields = text.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(" ")}]`;
  }
  for (const [index, field] of fields.entries()) {
    for (const range of field.split(",")) {
      const problem = range === "" ? undefined : rangeProblem(range, FIELDS[index]!);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** `*`, `5`, `1-5`, each perhaps with a step: `1-5/2`. */
function rangeProblem(range: string, bounds: Bounds): string | undefined {
  const parts = range.split("/");
  const ends = parts[0]!.split("-");
  let start = bounds.min;
  let end = bounds.max;
  if (ends[0] !== "*" && ends[0] !== "?") {
    const first = readNumber(ends[0]!, bounds.names === undefined ? undefined : bounds);
    if (typeof first === "string") return first;
    start = first;
    end = first;
    if (ends.length > 2) return `too many hyphens: ${range}`;
    if (ends.length === 2) {
      const last = readNumber(ends[1]!, bounds.names === undefined ? undefined : bounds);
      if (typeof last === "string") return last;
      end = last;
    }
  }
  let step = 1;
  if (parts.length > 2) return `too many slashes: ${range}`;
  if (parts.length === 2) {
    const read = readNumber(parts[1]!, undefined);
    if (typeof read === "string") return read;
    step = read;
    if (ends.length === 1) end = bounds.max;
  }
  if (start < bounds.min) {
    return `beginning of range (${start}) below minimum (${bounds.min}): ${range}`;
  }
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${range}`;
  if (start > end) {
    return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  }
  return step === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

/** The number, or what is wrong with the text. */
function readNumber(text: string, bounds: Bounds | undefined): number | string {
  const named = bounds?.names?.indexOf(text.toLowerCase()) ?? -1;
  if (bounds !== undefined && named >= 0) return bounds.min + named;
  if (!/^[+-]?[0-9]+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  }
  const number = BigInt(text.replace("+", ""));
  if (BigInt.asIntN(64, number) !== number) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: value out of range`;
  }
  return number < 0n ? `negative number (${number}) not allowed: ${text}` : Number(number);
}
