import { compareNumbers, isNumeric } from "./compare.ts";
import { type Failure, NO_SUCH_OVERLOAD } from "./failure.ts";
import { isList } from "./list-value.ts";
import { isMap } from "./map-value.ts";
import { isOptional } from "./optional-value.ts";
import { isDuration, isTimestamp } from "./time-value.ts";
import { isTypeValue } from "./type-value.ts";
import type { ListValue, MapValue, OpaqueValue, Value } from "./value.ts";

/** `==`: numbers by value whatever their type, values of different kinds are not equal. */
export function equalValues(a: Value, b: Value): boolean {
  if (isNumeric(a)) return isNumeric(b) && compareNumbers(a, b) === 0;
  if (typeof a !== "object" || a === null) return a === b;
  if (typeof b !== "object" || b === null) return false;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  if (b instanceof Uint8Array) return false;
  if (isList(a)) return isList(b) && equalLists(a, b);
  if (isMap(a)) return isMap(b) && equalMaps(a, b);
  if (isTimestamp(a)) return isTimestamp(b) && a.seconds === b.seconds && a.nanos === b.nanos;
  if (isDuration(a)) return isDuration(b) && a.nanoseconds === b.nanoseconds;
  if (isTypeValue(a)) return isTypeValue(b) && a.typeName === b.typeName;
  if (isOptional(a)) {
    if (!isOptional(b)) return false;
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return equalValues(a.value, b.value);
  }
  return isOpaque(a) ? a.equals(b) === true : a === b;
}

/** Of a library. */
export function isOpaque(value: Value): value is OpaqueValue {
  return (
    typeof value === "object" &&
    value !== null &&
    "equals" in value &&
    !isList(value) &&
    !isMap(value)
  );
}

/** A list or map that has its own idea of being equal (as a set, by keys) to another of one size. */
export interface SelfComparing<T> {
  equals(other: T): boolean;
}

/**
 * `==` as an operator: comparing a value of a library, or a list or map of an object (`strict`), with
 * something of another kind is an error.
 */
export function equalOrFailure(a: Value, b: Value): boolean | Failure {
  if (isOpaque(a)) return a.equals(b);
  if (typeof a === "object" && a !== null && "strict" in a) {
    const sameKind = isList(a) ? isList(b) : isMap(b);
    if (!sameKind && b !== null) return NO_SUCH_OVERLOAD;
  }
  return equalValues(a, b);
}

function equalLists(a: ListValue, b: ListValue): boolean {
  if (a.size !== b.size) return false;
  if (isSelfComparing(a)) return a.equals(b);
  for (let index = 0; index < a.size; index += 1) {
    if (!equalValues(a.at(index), b.at(index))) return false;
  }
  return true;
}

function equalMaps(a: MapValue, b: MapValue): boolean {
  if (a.size !== b.size) return false;
  if (isSelfComparing(a)) return a.equals(b);
  for (const key of a.keys()) {
    const left = a.find(key);
    const right = b.find(key);
    if (left === undefined || right === undefined) return false;
    if (!equalValues(left, right)) return false;
  }
  return true;
}

function isSelfComparing<T extends ListValue | MapValue>(value: T): value is T & SelfComparing<T> {
  return "equals" in value;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
