/** Dates, times and durations as go-openapi's formats read them. */
import { parseDuration } from "@homeostat/object-model";

export function isDate(text: string): boolean {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** A date, a T, and digits of a time; what follows a second T is not looked at. */
export function isDateTime(text: string): boolean {
  const [date = "", time] = text.toLowerCase().split("t");
  if (time === undefined || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u.exec(
    time,
  );
  return match !== null && match[1]! <= "23" && match[2]! <= "59" && match[3]! <= "59";
}

/** Go's own form, or any text with a number before a unit somewhere in it: "2 weeks". */
export function isDuration(text: string): boolean {
  // Which is asked first makes no difference but for long texts, which this one is quick to read.
  if (hasUnit(text)) return true;
  try {
    parseDuration(text);
    return true;
  } catch {
    return false;
  }
}

const NUMBER_AND_UNIT = /([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)/y;
const LONGEST_INT64 = 19;

function hasUnit(text: string): boolean {
  let found = false;
  for (let at = 0; at < text.length; at++) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end++;
    if (!found || end - at >= LONGEST_INT64) {
      NUMBER_AND_UNIT.lastIndex = at;
      const [, factor = "", unit = ""] = NUMBER_AND_UNIT.exec(text) ?? [];
      if (isBeyondInt64(factor)) return false;
      const lower = unit.toLowerCase();
      found ||=
        UNITS.has(lower) || UNIT_BEGINNINGS.some((beginning) => lower.startsWith(beginning));
    }
    at = end - 1;
  }
  return found;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isBeyondInt64(digits: string): boolean {
  if (digits.length < LONGEST_INT64) return false;
  const significant = digits.replace(/^0+/, "");
  if (significant.length !== LONGEST_INT64) return significant.length > LONGEST_INT64;
  return BigInt(significant) > 0x7fff_ffff_ffff_ffffn;
}

const UNITS: ReadonlySet<string> = new Set([
  "ns",
  "us",
  "µs",
  "ms",
  "s",
  "m",
  "h",
  "hr",
  "d",
  "w",
  "wk",
]);
const UNIT_BEGINNINGS = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"] as const;
