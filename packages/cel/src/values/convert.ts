/**
 * `int(x)`, `string(x)` and the other conversions. What cannot be converted is a failure that names
 * both types; what does not fit is an overflow.
 */
import { DurationError, TimeError } from "@homeostat/object-model";
import { printTypeName } from "../expression-types/print-type.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from "../expression-types/type.ts";
import { Failure } from "./failure.ts";
import { INT_OVERFLOW, intOrOverflow, UINT_OVERFLOW, uintOrOverflow } from "./int-arithmetic.ts";
import { printDouble } from "./print-double.ts";
import {
  parseDurationValue,
  parseTimestamp,
  printDurationValue,
  printTimestamp,
} from "./time-text.ts";
import { isDuration, isTimestamp, Timestamp } from "./time-value.ts";
import { typeOfValue } from "./type-of-value.ts";
import { isUint } from "./uint-value.ts";
import type { Value } from "./value.ts";

const MIN_UNIX_SECONDS = -62_135_596_800;
const MAX_UNIX_SECONDS = 253_402_300_799;
const TWO_TO_63 = 2 ** 63;
const TWO_TO_64 = 2 ** 64;
const TIMESTAMP_OVERFLOW: Failure = new Failure("timestamp overflow");

export function toInt(value: Value): Value {
  if (typeof value === "bigint") return value;
  if (isUint(value)) return intOrOverflow(value.value);
  if (typeof value === "number") {
    const fits = value > -TWO_TO_63 && value < TWO_TO_63;
    return fits ? BigInt(Math.trunc(value)) : INT_OVERFLOW;
  }
  if (isTimestamp(value)) return BigInt(value.seconds);
  if (isDuration(value)) return value.nanoseconds;
  if (typeof value === "string" && /^[+-]?0*[0-9]{1,19}$/.test(value)) {
    const parsed = intOrOverflow(BigInt(value.replace("+", "")));
    if (typeof parsed === "bigint") return parsed;
  }
  return unconvertible(value, INT);
}

export function toUint(value: Value): Value {
  if (isUint(value)) return value;
  if (typeof value === "bigint") return uintOrOverflow(value);
  if (typeof value === "number") {
    const fits = value >= 0 && value < TWO_TO_64;
    return fits ? uintOrOverflow(BigInt(Math.trunc(value))) : UINT_OVERFLOW;
  }
  if (typeof value === "string" && /^0*[0-9]{1,20}$/.test(value)) {
    const parsed = uintOrOverflow(BigInt(value));
    if (isUint(parsed)) return parsed;
  }
  return unconvertible(value, UINT);
}

const DOUBLE_TEXT =
  /^[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan)$/i;

export function toDouble(value: Value): Value {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (isUint(value)) return Number(value.value);
  if (typeof value === "string" && DOUBLE_TEXT.test(value)) {
    const lower = value.toLowerCase();
    if (lower.endsWith("nan")) {
      if (lower === "nan") return Number.NaN;
    } else if (lower.includes("inf")) return lower.startsWith("-") ? -Infinity : Infinity;
    else if (Number.isFinite(Number(value))) return Number(value);
  }
  return unconvertible(value, DOUBLE);
}

const TRUE_TEXTS: ReadonlySet<string> = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const FALSE_TEXTS: ReadonlySet<string> = new Set(["0", "f", "F", "FALSE", "false", "False"]);

export function toBool(value: Value): Value {
  if (typeof value === "boolean") return value;
  if (typeof value === "string" && TRUE_TEXTS.has(value)) return true;
  if (typeof value === "string" && FALSE_TEXTS.has(value)) return false;
  return unconvertible(value, BOOL);
}

export function toBytes(value: Value): Value {
  if (value instanceof Uint8Array) return value;
  return typeof value === "string" ? new TextEncoder().encode(value) : unconvertible(value, BYTES);
}

/** `string(x)`. */
export function stringOf(value: Value): Value {
  switch (typeof value) {
    case "string":
      return value;
    case "bigint":
    case "boolean":
      return value.toString();
    case "number":
      return printDouble(value);
    default:
  }
  if (value === null) return "null";
  if (value instanceof Uint8Array) return decodeUtf8(value);
  if (isUint(value)) return value.value.toString();
  if (isTimestamp(value)) return printTimestamp(value);
  return isDuration(value) ? printDurationValue(value) : unconvertible(value, STRING);
}

function decodeUtf8(bytes: Uint8Array): Value {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new Failure("invalid UTF-8 in bytes, cannot convert to string");
  }
}

export function toTimestamp(value: Value): Value {
  if (isTimestamp(value)) return value;
  if (typeof value === "bigint") return timestampOrOverflow(Number(value), 0);
  if (typeof value !== "string") return unconvertible(value, TIMESTAMP);
  try {
    const text = value.length <= 40 ? value : withoutDigits(value);
    if (text === undefined) return unconvertible(value, TIMESTAMP);
    const parsed = parseTimestamp(text);
    return isFailureRange(parsed.seconds) ? TIMESTAMP_OVERFLOW : parsed;
  } catch (error) {
    if (!(error instanceof TimeError)) throw error;
    return unconvertible(value, TIMESTAMP);
  }
}

/** A time that long has more digits behind the point than are read; undefined where it is no time. */
function withoutDigits(text: string): string | undefined {
  const [, start, zone] = /^(.{18,19}[.,]\d{12})\d*(.{1,6})$/s.exec(text) ?? [];
  return start === undefined ? undefined : `${start}${zone}`;
}

export function toDuration(value: Value): Value {
  if (isDuration(value)) return value;
  if (typeof value !== "string") return unconvertible(value, DURATION);
  try {
    return parseDurationValue(value);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return unconvertible(value, DURATION);
  }
}

export function timestampOrOverflow(
  seconds: number,
  nanos: number,
  offset = 0,
): Timestamp | Failure {
  return isFailureRange(seconds) ? TIMESTAMP_OVERFLOW : new Timestamp(seconds, nanos, offset);
}

function isFailureRange(seconds: number): boolean {
  return seconds < MIN_UNIX_SECONDS || seconds > MAX_UNIX_SECONDS;
}

function unconvertible(value: Value, to: Type): Failure {
  const from = printTypeName(typeOfValue(value));
  return new Failure(`type conversion error from '${from}' to '${printTypeName(to)}'`);
}
