/**
 * Durations as Kubernetes writes them in objects (`metav1.Duration`): Go's text form, such as
 * `1h30m0s` or `250ms`. The value is a bigint of nanoseconds within 64 bits, as in Go; texts that Go
 * refuses are refused with its words.
 */

import { goTimeQuote } from "./go-time-quote.ts";

/** A span of time. */
export type Nanoseconds = bigint;

export class DurationError extends Error {
  override readonly name: string = "DurationError";
  readonly code = "duration-malformed";
  readonly input: string;

  constructor(message: string, input: string) {
    super(message);
    this.input = input;
  }
}

const MICROSECOND = 1_000n;
const MILLISECOND = 1_000_000n;
const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", MICROSECOND],
  ["\u00b5s", MICROSECOND],
  ["\u03bcs", MICROSECOND],
  ["ms", MILLISECOND],
  ["s", SECOND],
  ["m", MINUTE],
  ["h", HOUR],
]);

const LIMIT = 2n ** 63n;
const MAX_DIGITS = 19;
const TERM = /([0-9]*)(?:(\.)([0-9]*))?([^0-9.]*)/y;

/** Reads `[-+]` and one or more terms of a decimal number and a unit; also plain `0`. */
export function parseDuration(text: string): Nanoseconds {
  const negative = text.startsWith("-");
  const start = negative || text.startsWith("+") ? 1 : 0;
  if (text.slice(start, start + 2) === "0") return 0n;
  if (start === text.length) throw invalid(text);
  let total = 0n;
  let at = start;
  while (at < text.length) {
    TERM.lastIndex = at;
    const [term = "", whole = "", , fraction = "", unit = ""] = TERM.exec(text)!;
    if (whole === "" && fraction === "") throw invalid(text);
    const count = parseWhole(whole);
    if (count === undefined) throw invalid(text);
    if (unit === "") {
      throw new DurationError(`time: missing unit in duration ${goTimeQuote(text)}`, text);
    }
    const scale = UNITS.get(unit);
    if (scale === undefined) {
      const shown = `${goTimeQuote(unit)} in duration ${goTimeQuote(text)}`;
      throw new DurationError(`time: unknown unit ${shown}`, text);
    }
    total += count * scale + fractionOf(fraction, scale);
    if (total > LIMIT) throw invalid(text);
    at += term.length;
  }
  if (negative) return -total;
  if (total === LIMIT) throw invalid(text);
  return total;
}

function invalid(text: string): DurationError {
  return new DurationError(`time: invalid duration ${goTimeQuote(text)}`, text);
}

/** Undefined where the number does not fit 63 bits. */
function parseWhole(digits: string): bigint | undefined {
  const significant = digits.replace(/^0+/, "");
  if (significant.length > MAX_DIGITS) return undefined;
  const value = BigInt(significant);
  return value > LIMIT ? undefined : value;
}

/**
 * The fraction of a unit in nanoseconds, cut off below. Go computes it in floats, and its last
 * nanosecond is part of what users see, so ours is computed in the same steps.
 */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    if (value > (LIMIT - 1n) / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > LIMIT) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** The shortest text of Go's form: `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function printDuration(duration: Nanoseconds): string {
  if (duration === 0n) return "0s";
  const sign = duration < 0n ? "-" : "";
  const size = duration < 0n ? -duration : duration;
  if (size < MICROSECOND) return `${sign}${size}ns`;
  if (size < MILLISECOND) return `${sign}${printFraction(size, 3)}\u00b5s`;
  if (size < SECOND) return `${sign}${printFraction(size, 6)}ms`;
  const seconds = `${printFraction(size % MINUTE, 9)}s`;
  if (size < MINUTE) return sign + seconds;
  const minutes = `${(size / MINUTE) % 60n}m${seconds}`;
  return size < HOUR ? sign + minutes : `${sign}${size / HOUR}h${minutes}`;
}

/** `value / 10 ** decimals` without trailing zeros. */
function printFraction(value: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  const fraction = (value % unit).toString().padStart(decimals, "0").replace(/0+$/, "");
  return fraction === "" ? `${value / unit}` : `${value / unit}.${fraction}`;
}

/** For clocks and timers, which count in milliseconds. */
export function durationToMilliseconds(duration: Nanoseconds): number {
  return Number(duration) / 1e6;
}
