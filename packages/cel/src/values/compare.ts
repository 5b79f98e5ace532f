import { Failure, NO_SUCH_OVERLOAD } from "./failure.ts";
import { isDuration, isTimestamp } from "./time-value.ts";
import { isUint, type Uint } from "./uint-value.ts";
import type { Value } from "./value.ts";

const NAN_UNORDERED = new Failure("NaN values cannot be ordered");

/** Below 0, 0 or above 0; a failure for values that have no order. */
export function compareValues(a: Value, b: Value): number | Failure {
  if (isNumeric(a)) {
    if (Number.isNaN(a)) return NAN_UNORDERED;
    if (!isNumeric(b)) return NO_SUCH_OVERLOAD;
    return Number.isNaN(b) ? NAN_UNORDERED : compareNumbers(a, b);
  }
  if (typeof a === "string") return typeof b === "string" ? compareStrings(a, b) : NO_SUCH_OVERLOAD;
  if (typeof a === "boolean") {
    return typeof b === "boolean" ? Number(a) - Number(b) : NO_SUCH_OVERLOAD;
  }
  if (a instanceof Uint8Array)
    return b instanceof Uint8Array ? compareBytes(a, b) : NO_SUCH_OVERLOAD;
  if (isTimestamp(a)) {
    return isTimestamp(b) ? a.seconds - b.seconds || a.nanos - b.nanos : NO_SUCH_OVERLOAD;
  }
  if (isDuration(a) && isDuration(b)) return sign(a.nanoseconds, b.nanoseconds);
  return NO_SUCH_OVERLOAD;
}

export function isNumeric(value: Value): value is bigint | number | Uint {
  return typeof value === "bigint" || typeof value === "number" || isUint(value);
}

/** NaN is 1 to everything, hence equal to nothing. A double near an integer is compared as a double. */
export function compareNumbers(a: bigint | number | Uint, b: bigint | number | Uint): number {
  const left = typeof a === "object" ? a.value : a;
  const right = typeof b === "object" ? b.value : b;
  if (typeof left === "bigint" && typeof right === "bigint") return sign(left, right);
  const x = Number(left);
  const y = Number(right);
  if (x < y) return -1;
  return x === y ? 0 : 1;
}

/** By the bytes of UTF-8, which is the order of code points. */
function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others of one unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const difference = a[index]! - b[index]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function sign(a: bigint, b: bigint): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
