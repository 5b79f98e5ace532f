/** Arithmetic within 64 bits: what does not fit is a failure. */
import { Failure } from "./failure.ts";
import { Uint } from "./uint-value.ts";

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

export const INT_OVERFLOW: Failure = new Failure("integer overflow");
export const UINT_OVERFLOW: Failure = new Failure("unsigned integer overflow");
export const DIVISION_BY_ZERO: Failure = new Failure("division by zero");
export const MODULUS_BY_ZERO: Failure = new Failure("modulus by zero");

export function intOrOverflow(value: bigint): bigint | Failure {
  return value < MIN_INT || value > MAX_INT ? INT_OVERFLOW : value;
}

export function uintOrOverflow(value: bigint): Uint | Failure {
  return value < 0n || value > MAX_UINT ? UINT_OVERFLOW : new Uint(value);
}
