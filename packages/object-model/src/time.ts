/**
 * Points in time as Kubernetes writes them: `Time` with seconds (`2026-01-02T03:04:05Z`) and
 * `MicroTime` with six decimals, always in UTC. Reading accepts what Go's RFC 3339 parser accepts
 * and refuses the rest with its words. The value is a bigint of nanoseconds since the epoch; texts
 * of one precision and four-digit years also sort as texts.
 *
 * Go's zero time stands for "not set" and is printed as null.
 */

import { dateOfDay, dayOfDate, daysInMonth } from "./civil-date.ts";
import { goTimeQuote } from "./go-time-quote.ts";

/** Nanoseconds since 1970-01-01T00:00:00Z. */
export type Instant = bigint;

/** 0001-01-01T00:00:00Z, which Kubernetes takes for "not set". */
export const ZERO_TIME: Instant = -62_135_596_800_000_000_000n;

export class TimeError extends Error {
  override readonly name: string = "TimeError";
  readonly code = "time-malformed";
  readonly input: string;

  constructor(message: string, input: string) {
    super(message);
    this.input = input;
  }
}

const TIME_LAYOUT = "2006-01-02T15:04:05Z07:00";
const MICRO_TIME_LAYOUT = "2006-01-02T15:04:05.000000Z07:00";
const SECOND = 1_000_000_000n;
const SECONDS_PER_DAY = 86_400;

/** Any fraction of a second is read; printing as `Time` drops it. */
export function parseTime(text: string): Instant {
  return new TimeReader(text, TIME_LAYOUT).read();
}

/** Exactly six decimals, unlike {@link parseTime}. */
export function parseMicroTime(text: string): Instant {
  return new TimeReader(text, MICRO_TIME_LAYOUT).read();
}

/** Seconds, the rest dropped. Null for {@link ZERO_TIME}. */
export function printTime(instant: Instant): string | null {
  return instant === ZERO_TIME ? null : `${printSeconds(instant)}Z`;
}

/** Six decimals, the rest dropped. Null for {@link ZERO_TIME}. */
export function printMicroTime(instant: Instant): string | null {
  if (instant === ZERO_TIME) return null;
  const micros = modulo(instant, SECOND) / 1_000n;
  return `${printSeconds(instant)}.${micros.toString().padStart(6, "0")}Z`;
}

/** A `Time` from a clock: milliseconds since the epoch. */
export function timeOfMilliseconds(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1e3);
  if (second !== lastSecond) {
    lastText = `${printSeconds(instantOfMilliseconds(milliseconds))}Z`;
    lastSecond = second;
  }
  return lastText;
}

/** A clock is asked for the same second many times before the next. */
let lastSecond: number | undefined;
let lastText = "";

/** A `MicroTime` from a clock. */
export function microTimeOfMilliseconds(milliseconds: number): string {
  const instant = instantOfMilliseconds(milliseconds);
  const micros = modulo(instant, SECOND) / 1_000n;
  return `${printSeconds(instant)}.${micros.toString().padStart(6, "0")}Z`;
}

/** Exact to a microsecond. */
export function instantOfMilliseconds(milliseconds: number): Instant {
  return BigInt(Math.floor(milliseconds * 1e3)) * 1_000n;
}

/** Milliseconds since the epoch, for comparing with a clock. */
export function instantToMilliseconds(instant: Instant): number {
  return Number(instant / 1_000n) / 1e3;
}

function printSeconds(instant: Instant): string {
  const seconds = Number((instant - modulo(instant, SECOND)) / SECOND);
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const { year, month, day } = dateOfDay(days);
  const rest = seconds - days * SECONDS_PER_DAY;
  const sign = year < 0 ? "-" : "";
  const date = `${sign}${pad(Math.abs(year), 4)}-${pad(month)}-${pad(day)}`;
  const time = [rest / 3600, (rest / 60) % 60, rest % 60].map((part) => pad(Math.floor(part)));
  return `${date}T${time.join(":")}`;
}

function pad(value: number, width = 2): string {
  return value.toString().padStart(width, "0");
}

function modulo(value: bigint, divisor: bigint): bigint {
  const rest = value % divisor;
  return rest < 0n ? rest + divisor : rest;
}

function twoDigits(text: string): number {
  return /^\d\d$/.test(text) ? Number(text) : Number.NaN;
}

/** One pass over a text by a layout, element by element as Go does, so that messages agree. */
class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  /** What is not read yet. */
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  read(): Instant {
    const year = this.#year();
    this.#literal("-");
    const month = this.#number({ element: "01", name: "month", from: 1, below: 13, digits: 2 });
    this.#literal("-");
    const day = this.#number({ element: "02", name: "day", from: 0, below: 100, digits: 2 });
    this.#literal("T");
    // Go reads an hour of one digit, and nothing else of one digit.
    const hour = this.#number({ element: "15", name: "hour", from: 0, below: 24, digits: 1 });
    this.#literal(":");
    const minute = this.#number({ element: "04", name: "minute", from: 0, below: 60, digits: 2 });
    this.#literal(":");
    const second = this.#number({ element: "05", name: "second", from: 0, below: 60, digits: 2 });
    const nanos = this.#layout === TIME_LAYOUT ? this.#anyFraction() : this.#sixDecimals();
    const offset = this.#offset();
    if (this.#rest !== "") throw this.#refused(`: extra text: ${goTimeQuote(this.#rest)}`);
    if (day < 1 || day > daysInMonth(year, month)) throw this.#refused(": day out of range");
    const time = hour * 3600 + minute * 60 + second - offset;
    const seconds = dayOfDate({ year, month, day }) * SECONDS_PER_DAY + time;
    return BigInt(seconds) * SECOND + nanos;
  }

  #year(): number {
    const match = /^\d{4}/.exec(this.#rest);
    if (match === null) throw this.#unlike("2006");
    this.#rest = this.#rest.slice(4);
    return Number(match[0]);
  }

  #literal(expected: string): void {
    if (!this.#rest.startsWith(expected)) throw this.#unlike(expected);
    this.#rest = this.#rest.slice(1);
  }

  #number(range: {
    element: string;
    name: string;
    from: number;
    below: number;
    digits: number;
  }): number {
    const match = /^\d\d?/.exec(this.#rest);
    if (match === null || match[0].length < range.digits) throw this.#unlike(range.element);
    const value = Number(match[0]);
    this.#rest = this.#rest.slice(match[0].length);
    if (value < range.from || value >= range.below) {
      throw this.#refused(`: ${range.name} out of range`);
    }
    return value;
  }

  #anyFraction(): bigint {
    const match = /^[.,](\d+)/.exec(this.#rest);
    if (match === null) return 0n;
    this.#rest = this.#rest.slice(match[0].length);
    return BigInt(match[1]!.slice(0, 9).padEnd(9, "0"));
  }

  #sixDecimals(): bigint {
    // Go reads the six places as a number, and a number may have a sign.
    const match = /^[.,]([+-]?\d+)$/.exec(this.#rest.slice(0, 7));
    if (match === null || match[0].length !== 7) throw this.#unlike(".000000");
    const micros = Number(match[1]);
    if (micros < 0) throw this.#refused(": fractional second out of range");
    this.#rest = this.#rest.slice(7);
    return BigInt(micros) * 1_000n;
  }

  /** Seconds east of UTC. 24 hours and 60 minutes are let through: some people write them. */
  #offset(): number {
    if (this.#rest.startsWith("Z")) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const match = /^([\0-\x7f])([^]{2}):([^]{2})/.exec(this.#rest);
    if (match === null) throw this.#unlike("Z07:00");
    const [matched, sign, hourText = "", minuteText = ""] = match;
    const hours = twoDigits(hourText);
    const minutes = Number.isNaN(hours) ? Number.NaN : twoDigits(minuteText);
    if (minutes > 60) throw this.#refused(": time zone offset minute out of range");
    if (hours > 24) throw this.#refused(": time zone offset hour out of range");
    const offset = hours * 3600 + minutes * 60;
    if (Number.isNaN(offset) || (sign !== "+" && sign !== "-")) throw this.#unlike("Z07:00");
    this.#rest = this.#rest.slice(matched.length);
    return sign === "-" ? -offset : offset;
  }

  #unlike(element: string): TimeError {
    const layout = goTimeQuote(this.#layout);
    const expected = `cannot parse ${goTimeQuote(this.#rest)} as ${goTimeQuote(element)}`;
    const text = goTimeQuote(this.#text);
    return new TimeError(`parsing time ${text} as ${layout}: ${expected}`, this.#text);
  }

  #refused(why: string): TimeError {
    return new TimeError(`parsing time ${goTimeQuote(this.#text)}${why}`, this.#text);
  }
}
