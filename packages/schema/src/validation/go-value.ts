/**
 * Decoded JSON as Go sees it: an integer that int64 holds is an int64, every other number a float64.
 * Numbers beyond 2^53 that were written as integers are bigints here (see object-model's JSON), so a
 * JavaScript number of that size was written with a point or an exponent.
 */
import { equalJson, type JsonValue } from "@homeostat/object-model";

export type ValueKind = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

export function kindOf(value: JsonValue): ValueKind {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "bigint":
      return "integer";
    case "number":
      return Number.isSafeInteger(value) ? "integer" : "number";
    default:
      if (value === null) return "null";
      return Array.isArray(value) ? "array" : "object";
  }
}

/** A float64 as Go's `%v` prints it: 0.5, 10, 1e+06. */
export function printFloat(value: number): string {
  const [mantissa = "", exponentText = ""] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return String(value);
  const digits = String(Math.abs(exponent)).padStart(2, "0");
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** What Go's `int64(f)` makes of a float64; what does not fit becomes the smallest, as on amd64. */
export function toInt64(value: number): bigint {
  if (!Number.isFinite(value)) return INT64_MIN;
  const whole = BigInt(Math.trunc(value));
  return whole < INT64_MIN || whole > INT64_MAX ? INT64_MIN : whole;
}

/** Whether a float64 is a whole number that JSON keeps, give or take one part in a thousand million. */
export function isJsonInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  // Go converts negative floats to uint64 here: only positive ones can be near.
  const whole = Math.trunc(value);
  if (value <= 0 || whole === 0) return false;
  return (value - whole) / (value + whole) < 1e-9;
}

/** As Go compares after converting the value to the type of the member: 1.5 is 1 among integers. */
export function equalsMember(value: JsonValue, member: JsonValue): boolean {
  if (member === null || value === null) return false;
  if (typeof value === "number" && !Number.isInteger(value)) {
    if (typeof member === "number" && Number.isInteger(member)) return Math.trunc(value) === member;
  }
  return equalJson(value, member);
}
