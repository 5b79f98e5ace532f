/** Texts with a format that has a type of its own: `date-time`, `date`, `duration`, `byte`. */
import { DurationError, TimeError } from "@homeostat/object-model";
import { Failure } from "./failure.ts";
import { parseDurationValue, parseTimestamp } from "./time-text.ts";
import { Duration } from "./time-value.ts";
import type { Value } from "./value.ts";

const DATE = /^\d{4}-\d\d-\d\d$/;
const LOOSE_TIME = /^(\d{4}-\d\d-\d\d)[tT ](\d\d:\d\d:\d\d(?:\.\d+)?)([zZ]|[+-]\d\d:?\d\d)?$/;

/** A date, or a time with `T`, `t` or a space in the middle and an offset that may be missing. */
export function parseFormattedTime(text: string): Value {
  const isDate = DATE.test(text);
  const [, date, time, zone] = LOOSE_TIME.exec(text) ?? [];
  const strict = isDate ? `${text}T00:00:00Z` : `${date}T${time}${strictZone(zone)}`;
  try {
    return parseTimestamp(date === undefined && !isDate ? text : strict);
  } catch (error) {
    if (!(error instanceof TimeError)) throw error;
    return new Failure(`Invalid date-time formatted string ${text}: ${error.message}`);
  }
}

function strictZone(zone: string | undefined): string {
  if (zone === undefined || zone === "z") return "Z";
  return zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
}

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["nano", 1n],
  ["us", 1000n],
  ["µs", 1000n],
  ["micro", 1000n],
  ["ms", 1_000_000n],
  ["milli", 1_000_000n],
  ["s", 1_000_000_000n],
  ["sec", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["min", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
  ["hr", 3_600_000_000_000n],
  ["hour", 3_600_000_000_000n],
  ["d", 86_400_000_000_000n],
  ["day", 86_400_000_000_000n],
  ["w", 604_800_000_000_000n],
  ["wk", 604_800_000_000_000n],
  ["week", 604_800_000_000_000n],
]);

/** Go's form, or a number and the name of a unit up to weeks: `3 days`. */
export function parseFormattedDuration(text: string): Value {
  try {
    return parseDurationValue(text);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return parseNamedDuration(text);
  }
}

function parseNamedDuration(text: string): Value {
  let total = 0n;
  let found = false;
  for (const [, count = "", unit = ""] of text.matchAll(/((?:-\s?)?\d+)\s*([A-Za-zµ]+)/g)) {
    const scale = UNITS.get(unit.toLowerCase()) ?? UNITS.get(unit.toLowerCase().replace(/s$/, ""));
    if (scale === undefined) continue;
    found = true;
    total += BigInt(count.replaceAll(/\s/g, "")) * scale;
  }
  return found
    ? new Duration(total)
    : new Failure(`Invalid duration ${text}: unable to parse ${text} as duration`);
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function decodeBase64(text: string): Value {
  const joined = text.replaceAll(/[\r\n]/g, "");
  if (!BASE64.test(joined))
    return new Failure(`Invalid byte formatted string ${text}: illegal base64 data`);
  return Uint8Array.from(atob(joined), (character) => character.charCodeAt(0));
}
