/**
 * Exact decimal numbers, `unscaled * 10 ** exponent`, for quantities. Every number has one form: no
 * factor of ten is left in `unscaled`, and zero has exponent 0, so equal numbers have equal parts.
 *
 * Exponents come from people (`1e2000000000` is a quantity), so nothing here writes a number out
 * before it is known to be of a size worth writing: comparing is always cheap, and what would need
 * more than {@link MAX_DIGITS} digits throws instead of taking the machine with it.
 */

import { QuantityRangeError } from "./quantity-error.ts";

export interface ScaledDecimal {
  readonly unscaled: bigint;
  readonly exponent: number;
}

/** Of a written-out number. The largest sum of a cluster has some forty. */
export const MAX_DIGITS = 10_000;

/** Exponents this close are aligned without looking at the size of the numbers. */
const NEAR = 64;

export function scaledDecimal(unscaled: bigint, exponent: number): ScaledDecimal {
  if (unscaled === 0n) return { unscaled: 0n, exponent: 0 };
  if (unscaled % 10n !== 0n) return { unscaled, exponent };
  // Digits are counted in text: dividing by ten in a loop is quadratic in the number of digits.
  const digits = unscaled.toString();
  let zeros = 1;
  while (digits.charCodeAt(digits.length - 1 - zeros) === 0x30) zeros++;
  return { unscaled: unscaled / 10n ** BigInt(zeros), exponent: exponent + zeros };
}

export function compareDecimals(a: ScaledDecimal, b: ScaledDecimal): -1 | 0 | 1 {
  const signA = signOf(a);
  const signB = signOf(b);
  if (signA !== signB) return signA < signB ? -1 : 1;
  if (signA === 0) return 0;
  if (Math.abs(a.exponent - b.exponent) > NEAR) {
    const difference = magnitude(a) - magnitude(b);
    if (difference !== 0) return difference < 0 === signA > 0 ? -1 : 1;
    // Of one magnitude: the exponents differ by no more than the digits there are.
  }
  const low = Math.min(a.exponent, b.exponent);
  const left = a.unscaled * 10n ** BigInt(a.exponent - low);
  const right = b.unscaled * 10n ** BigInt(b.exponent - low);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export function addDecimals(a: ScaledDecimal, b: ScaledDecimal): ScaledDecimal {
  if (a.unscaled === 0n) return b;
  if (b.unscaled === 0n) return a;
  const low = Math.min(a.exponent, b.exponent);
  return scaledDecimal(writtenAt(a, low) + writtenAt(b, low), low);
}

/** `number / 10 ** exponent`, rounded away from zero where it is no integer. */
export function roundAwayFromZero(number: ScaledDecimal, exponent: number): bigint {
  if (number.unscaled === 0n) return 0n;
  if (number.exponent >= exponent) return writtenAt(number, exponent);
  // No factor of ten is left, so what lies below `exponent` is never nothing: one more, always.
  // Below one unit there is nothing else, and the divisor may be too far away to be written.
  if (magnitude(number) <= exponent) return number.unscaled < 0n ? -1n : 1n;
  const divisor = 10n ** BigInt(exponent - number.exponent);
  const quotient = number.unscaled / divisor;
  return quotient + (number.unscaled < 0n ? -1n : 1n);
}

export function signOf({ unscaled }: ScaledDecimal): -1 | 0 | 1 {
  if (unscaled === 0n) return 0;
  return unscaled < 0n ? -1 : 1;
}

/** The number as an integer of units of `10 ** exponent`, which must not be finer than its own. */
function writtenAt(number: ScaledDecimal, exponent: number): bigint {
  const shift = number.exponent - exponent;
  if (shift > MAX_DIGITS) {
    throw new QuantityRangeError(
      `expected a number of at most ${MAX_DIGITS} digits, got one with ${shift} more`,
    );
  }
  return number.unscaled * 10n ** BigInt(shift);
}

/** m where 10^(m-1) <= |number| < 10^m. */
function magnitude({ unscaled, exponent }: ScaledDecimal): number {
  const digits = unscaled.toString().length - (unscaled < 0n ? 1 : 0);
  return digits + exponent;
}
