/**
 * Reading the arguments of a call. That each has a type its parameter admits is the contract of
 * `Overload.call`; here it is only told to the compiler.
 */
import type { ListValue, Value } from "../values/value.ts";

export function textAt(args: readonly Value[], index: number): string {
  return args[index] as string;
}

export function intAt(args: readonly Value[], index: number): bigint {
  return args[index] as bigint;
}

export function listAt(args: readonly Value[], index: number): ListValue {
  return args[index] as ListValue;
}
