/** The operators of values. Arguments may be of any types; those with no such operator are a failure. */
import { timestampOrOverflow } from "./convert.ts";
import { Failure, NO_SUCH_OVERLOAD } from "./failure.ts";
import {
  DIVISION_BY_ZERO,
  INT_OVERFLOW,
  intOrOverflow,
  MODULUS_BY_ZERO,
  uintOrOverflow,
} from "./int-arithmetic.ts";
import { concatenate, GrowingList, isList } from "./list-value.ts";
import { Duration, isDuration, isTimestamp, type Timestamp } from "./time-value.ts";
import { isUint } from "./uint-value.ts";
import type { ListValue, Value } from "./value.ts";

const NANOS = 1_000_000_000n;

export function add(a: Value, b: Value): Value {
  if (typeof a === "bigint") return typeof b === "bigint" ? intOrOverflow(a + b) : NO_SUCH_OVERLOAD;
  if (typeof a === "string") return typeof b === "string" ? a + b : NO_SUCH_OVERLOAD;
  if (typeof a === "number") return typeof b === "number" ? a + b : NO_SUCH_OVERLOAD;
  if (isUint(a)) return isUint(b) ? uintOrOverflow(a.value + b.value) : NO_SUCH_OVERLOAD;
  if (a instanceof GrowingList) return isList(b) ? a.append(b) : NO_SUCH_OVERLOAD;
  if (isList(a)) return isList(b) ? addLists(a, b) : NO_SUCH_OVERLOAD;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? joinBytes(a, b) : NO_SUCH_OVERLOAD;
  if (isTimestamp(a)) return isDuration(b) ? moved(a, b.nanoseconds) : NO_SUCH_OVERLOAD;
  if (isDuration(a)) {
    if (isTimestamp(b)) return moved(b, a.nanoseconds);
    return isDuration(b) ? span(a.nanoseconds + b.nanoseconds) : NO_SUCH_OVERLOAD;
  }
  return unsupported(a, "_+_");
}

export function subtract(a: Value, b: Value): Value {
  if (typeof a === "bigint") return typeof b === "bigint" ? intOrOverflow(a - b) : NO_SUCH_OVERLOAD;
  if (typeof a === "number") return typeof b === "number" ? a - b : NO_SUCH_OVERLOAD;
  if (isUint(a)) return isUint(b) ? uintOrOverflow(a.value - b.value) : NO_SUCH_OVERLOAD;
  if (isDuration(a)) return isDuration(b) ? span(a.nanoseconds - b.nanoseconds) : NO_SUCH_OVERLOAD;
  if (isTimestamp(a)) {
    if (isDuration(b)) return moved(a, -b.nanoseconds);
    return isTimestamp(b) ? span(nanosecondsOf(a) - nanosecondsOf(b)) : NO_SUCH_OVERLOAD;
  }
  return unsupported(a, "_-_");
}

export function multiply(a: Value, b: Value): Value {
  if (typeof a === "bigint") return typeof b === "bigint" ? intOrOverflow(a * b) : NO_SUCH_OVERLOAD;
  if (typeof a === "number") return typeof b === "number" ? a * b : NO_SUCH_OVERLOAD;
  if (isUint(a)) return isUint(b) ? uintOrOverflow(a.value * b.value) : NO_SUCH_OVERLOAD;
  return unsupported(a, "_*_");
}

export function divide(a: Value, b: Value): Value {
  if (typeof a === "number") return typeof b === "number" ? a / b : NO_SUCH_OVERLOAD;
  if (typeof a === "bigint") {
    if (typeof b !== "bigint") return NO_SUCH_OVERLOAD;
    return b === 0n ? DIVISION_BY_ZERO : intOrOverflow(a / b);
  }
  if (isUint(a)) {
    if (!isUint(b)) return NO_SUCH_OVERLOAD;
    return b.value === 0n ? DIVISION_BY_ZERO : uintOrOverflow(a.value / b.value);
  }
  return unsupported(a, "_/_");
}

export function modulo(a: Value, b: Value): Value {
  if (typeof a === "bigint") {
    if (typeof b !== "bigint") return NO_SUCH_OVERLOAD;
    if (b === 0n) return MODULUS_BY_ZERO;
    // The quotient is what does not fit.
    return b === -1n && intOrOverflow(-a) === INT_OVERFLOW ? INT_OVERFLOW : a % b;
  }
  if (isUint(a)) {
    if (!isUint(b)) return NO_SUCH_OVERLOAD;
    return b.value === 0n ? MODULUS_BY_ZERO : uintOrOverflow(a.value % b.value);
  }
  return unsupported(a, "_%_");
}

export function negate(a: Value): Value {
  if (typeof a === "bigint") return intOrOverflow(-a);
  if (typeof a === "number") return -a;
  if (isDuration(a)) return span(-a.nanoseconds);
  return typeof a === "boolean" ? NO_SUCH_OVERLOAD : unsupported(a, "-_");
}

/** Texts and times look for a method of the operator's name, which fails in fewer words. */
export function unsupported(value: Value, operator: string): Failure {
  const hasMethods = typeof value === "string" || isTimestamp(value) || isDuration(value);
  return hasMethods ? NO_SUCH_OVERLOAD : new Failure(`no such overload: ${operator}`);
}

/** A list that has its own idea of adding (as a set, by keys) says so itself. */
export interface SelfAddingList extends ListValue {
  plus(other: ListValue): ListValue;
}

function addLists(a: ListValue, b: ListValue): ListValue {
  return "plus" in a ? (a as SelfAddingList).plus(b) : concatenate(a, b);
}

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

function nanosecondsOf({ seconds, nanos }: Timestamp): bigint {
  return BigInt(seconds) * NANOS + BigInt(nanos);
}

function span(nanoseconds: bigint): Value {
  const checked = intOrOverflow(nanoseconds);
  return typeof checked === "bigint" ? new Duration(checked) : checked;
}

function moved(timestamp: Timestamp, by: bigint): Value {
  const total = nanosecondsOf(timestamp) + by;
  const rest = ((total % NANOS) + NANOS) % NANOS;
  return timestampOrOverflow(Number((total - rest) / NANOS), Number(rest), timestamp.offset);
}
