/**
 * Amounts of resources as Kubernetes writes them: `500m`, `1.5Gi`, `12e6`. Exact: a quantity is a
 * decimal number of any size, never a float, and nothing is finer than a nano. Values do not change;
 * arithmetic gives new ones.
 *
 * A quantity keeps the format it was written in. Printing one that was only parsed gives what
 * kube-apiserver prints, which for some texts is the text itself (`1.500`, `1E3`); printing a
 * computed one gives the canonical form, which {@link Quantity.canonical} always gives.
 */

import {
  NANO,
  negateDecimal,
  type ParsedQuantity,
  parseQuantity,
  roundToNano,
} from "./parse-quantity.ts";
import { printCanonical } from "./print-quantity.ts";
import type { QuantityFormat } from "./quantity-suffix.ts";
import {
  addDecimals,
  compareDecimals,
  roundAwayFromZero,
  type ScaledDecimal,
  scaledDecimal,
  signOf,
} from "./scaled-decimal.ts";

const MILLI = -3;

export class Quantity {
  readonly format: QuantityFormat;
  readonly #number: ScaledDecimal;
  readonly #keptText: string | undefined;

  private constructor({ number, format, keptText }: ParsedQuantity) {
    this.#number = number;
    this.format = format;
    this.#keptText = keptText;
  }

  /** Throws {@link QuantityError}. White space is not part of a quantity. */
  static parse(text: string): Quantity {
    let quantity = known.get(text);
    if (quantity === undefined) {
      quantity = new Quantity(parseQuantity(text));
      if (known.size >= MAX_KNOWN) known.clear();
      if (text.length <= MAX_KNOWN_LENGTH) known.set(text, quantity);
    }
    return quantity;
  }

  /** From a field of an object: text, with white space around it ignored, or a number. */
  static fromJson(value: string | number | bigint): Quantity {
    return Quantity.parse(String(value).trim());
  }

  /** `value * 10 ** exponent`; `value` is an integer. Rounded away from zero to a nano. */
  static of(value: bigint | number, options: QuantityOptions = {}): Quantity {
    const { exponent = 0, format = "DecimalSI" } = options;
    const number = roundToNano(scaledDecimal(BigInt(value), exponent));
    return new Quantity({ number, format, keptText: undefined });
  }

  /** A zero takes the format of what is added to it. */
  add(other: Quantity): Quantity {
    return this.#combine(other, other.#number);
  }

  subtract(other: Quantity): Quantity {
    return this.#combine(other, negateDecimal(other.#number));
  }

  #combine(other: Quantity, amount: ScaledDecimal): Quantity {
    const format = this.isZero() ? other.format : this.format;
    return new Quantity({
      number: addDecimals(this.#number, amount),
      format,
      keptText: undefined,
    });
  }

  negate(): Quantity {
    return new Quantity({
      number: negateDecimal(this.#number),
      format: this.format,
      keptText: undefined,
    });
  }

  multiply(factor: bigint | number): Quantity {
    const number = scaledDecimal(this.#number.unscaled * BigInt(factor), this.#number.exponent);
    return new Quantity({ number, format: this.format, keptText: undefined });
  }

  /** By value: `1` and `1000m` are equal. */
  compare(other: Quantity): -1 | 0 | 1 {
    return compareDecimals(this.#number, other.#number);
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  isZero(): boolean {
    return this.#number.unscaled === 0n;
  }

  sign(): -1 | 0 | 1 {
    return signOf(this.#number);
  }

  /** The value in whole units, rounded away from zero: `value()` of `1500m` is 2. */
  value(): bigint {
    return roundAwayFromZero(this.#number, 0);
  }

  /** The value in thousandths, rounded away from zero. */
  milliValue(): bigint {
    return roundAwayFromZero(this.#number, MILLI);
  }

  /** The value in units of `10 ** exponent`, rounded away from zero. */
  scaledValue(exponent: number): bigint {
    return roundAwayFromZero(this.#number, exponent);
  }

  /** Rounded away from zero to a multiple of `10 ** exponent`. */
  roundUp(exponent: number): Quantity {
    if (this.#number.exponent >= Math.max(exponent, NANO)) return this;
    const number = scaledDecimal(roundAwayFromZero(this.#number, exponent), exponent);
    return new Quantity({ number, format: this.format, keptText: undefined });
  }

  /** The nearest float; infinite beyond its range. */
  toNumber(): number {
    return Number(`${this.#number.unscaled}e${this.#number.exponent}`);
  }

  canonical(): string {
    return printCanonical(this.#number, this.format);
  }

  toString(): string {
    return this.#keptText ?? this.canonical();
  }

  toJSON(): string {
    return this.toString();
  }
}

export interface QuantityOptions {
  /** Default 0. */
  readonly exponent?: number;
  /** Default `DecimalSI`. */
  readonly format?: QuantityFormat;
}

/** What kube-apiserver stores for a quantity in an object: `1000m` becomes `1`. */
export function canonicalizeQuantity(value: string | number | bigint): string {
  return Quantity.fromJson(value).toString();
}

/** Few amounts are written again and again, and read several times in each write. */
const known = new Map<string, Quantity>();
const MAX_KNOWN = 1000;
const MAX_KNOWN_LENGTH = 32;
