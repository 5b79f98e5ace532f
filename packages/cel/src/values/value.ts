/**
 * What CEL expressions compute with. Simple values are JavaScript's own, so that evaluation allocates
 * little: bool is boolean, string is string, **int is bigint**, **double is number**, null is null,
 * bytes is Uint8Array. Everything else is an object that says what it is by `celType`.
 */
import type { Type } from "../expression-types/type.ts";
import type { Failure } from "./failure.ts";

export type Value = bigint | boolean | number | string | null | Uint8Array | ObjectValue;

/** Lists, maps, typed objects, uint, timestamps, durations, types, optionals, values of libraries. */
export interface ObjectValue {
  /** The runtime type; what `type(x)` answers and errors name. */
  readonly celType: Type;
}

/** Elements are made when asked for, so that a list of JSON is not copied. */
export interface ListValue extends ObjectValue {
  readonly size: number;
  at(index: number): Value;
}

/** A CEL map or an object with declared fields; keys of the latter are strings. */
export interface MapValue extends ObjectValue {
  readonly size: number;
  /** Undefined where there is no such key. Keys of one numeric value are equal whatever their type. */
  find(key: Value): Value | undefined;
  keys(): Iterable<Value>;
}

export interface UintValue extends ObjectValue {
  readonly value: bigint;
}

/** A value of a library's own type, such as a Quantity or an IP. */
export interface OpaqueValue extends ObjectValue {
  /** A failure where values of the two types cannot be compared. */
  equals(other: Value): boolean | Failure;
}
