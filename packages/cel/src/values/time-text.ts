/** Times and durations as texts, and the calendar fields of a time in a zone. */
import { parseDuration, parseTime, printTime } from "@homeostat/object-model";
import { printPlainDouble } from "./print-double.ts";
import { Duration, Timestamp } from "./time-value.ts";

const NANOS = 1_000_000_000n;
const ZERO_TIME_TEXT = "0001-01-01T00:00:00Z";
const OFFSET = /([+-])(\d\d):(\d\d)$/;

/** RFC 3339; throws TimeError. Keeps the offset, for printing. */
export function parseTimestamp(text: string): Timestamp {
  const instant = parseTime(text);
  const seconds = floorDivide(instant, NANOS);
  const match = OFFSET.exec(text);
  const [, sign, hours, minutes] = match ?? [];
  const offset = match === null ? 0 : (Number(hours) * 60 + Number(minutes)) * 60;
  return new Timestamp(
    Number(seconds),
    Number(instant - seconds * NANOS),
    sign === "-" ? -offset : offset,
  );
}

/** RFC 3339 with as many decimals as there are. */
export function printTimestamp({ seconds, nanos, offset }: Timestamp): string {
  const local = secondsText(seconds + offset).slice(0, -1);
  const decimals = nanos === 0 ? "" : `.${nanos.toString().padStart(9, "0").replace(/0+$/, "")}`;
  if (offset === 0) return `${local}${decimals}Z`;
  const minutes = Math.floor(Math.abs(offset) / 60);
  const zone = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    part.toString().padStart(2, "0"),
  );
  return `${local}${decimals}${offset < 0 ? "-" : "+"}${zone.join(":")}`;
}

/** Go's form (`1h30m`); throws DurationError. */
export function parseDurationValue(text: string): Duration {
  return new Duration(parseDuration(text));
}

/** Seconds with a fraction: `5400s`, `0.25s`. */
export function printDurationValue({ nanoseconds }: Duration): string {
  return `${printPlainDouble(secondsOf(nanoseconds))}s`;
}

/** As Go computes it: whole seconds plus the rest as a fraction. */
function secondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / NANOS) + Number(nanoseconds % NANOS) / 1e9;
}

export interface CalendarFields {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  /** From 1. */
  readonly day: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  /** From 0. */
  readonly dayOfYear: number;
  /** From 0, which is Sunday. */
  readonly dayOfWeek: number;
}

const SECONDS_PER_DAY = 86_400;

/** `offset` in seconds east of UTC. */
export function calendarFields(timestamp: Timestamp, offset: number): CalendarFields {
  const local = timestamp.seconds + offset;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = secondsText(local)
    .split(/[-T:Z]/)
    .map(Number);
  const days = Math.floor(local / SECONDS_PER_DAY);
  const newYear = parseTime(`${year.toString().padStart(4, "0")}-01-01T00:00:00Z`);
  const dayOfYear = days - Number(floorDivide(newYear, NANOS)) / SECONDS_PER_DAY;
  // 1970-01-01 was a Thursday.
  const dayOfWeek = (((days + 4) % 7) + 7) % 7;
  return { year, month, day, hours, minutes, seconds, dayOfYear, dayOfWeek };
}

function secondsText(seconds: number): string {
  return printTime(BigInt(seconds) * NANOS) ?? ZERO_TIME_TEXT;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}
