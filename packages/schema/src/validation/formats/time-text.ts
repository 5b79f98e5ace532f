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
  try {
    parseDuration(text);
    return true;
  } catch {
    return hasUnit(text);
  }
}

function hasUnit(text: string): boolean {
  let found = false;
  for (const [, factor = "", unit = ""] of text.matchAll(/([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    if (BigInt(factor) > 0x7fff_ffff_ffff_ffffn) return false;
    const lower = unit.toLowerCase();
    found ||= UNITS.has(lower) || UNIT_BEGINNINGS.some((beginning) => lower.startsWith(beginning));
  }
  return found;
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
