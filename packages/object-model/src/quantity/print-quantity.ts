import {
  binarySuffix,
  decimalSuffix,
  MAX_BINARY_FACTORS,
  MAX_DECIMAL_EXPONENT,
  type QuantityFormat,
} from "./quantity-suffix.ts";
import { MAX_DIGITS, type ScaledDecimal } from "./scaled-decimal.ts";

/**
 * The canonical form: no digit lost, no fraction, the largest suffix that allows both. A binary
 * quantity below 1024 or with a fraction is written in decimal, because it cannot be exact otherwise.
 *
 * One difference from Kubernetes, which drops the suffix (and so the value) of what lies beyond `E`
 * and `Ei`: `1000E` prints as `1` there and as `1000E` here.
 */
export function printCanonical(number: ScaledDecimal, format: QuantityFormat): string {
  if (number.unscaled === 0n) return "0";
  if (format === "BinarySI") return printBinary(number) ?? printDecimal(number, "DecimalSI");
  return printDecimal(number, format);
}

function printDecimal(number: ScaledDecimal, format: "DecimalSI" | "DecimalExponent"): string {
  const exponent = Math.floor(number.exponent / 3) * 3;
  const mantissa = number.unscaled * 10n ** BigInt(number.exponent - exponent);
  // Too far from E to be written out; the exponent says the same in fewer digits.
  if (format === "DecimalExponent" || exponent > MAX_DIGITS) {
    return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
  }
  if (exponent <= MAX_DECIMAL_EXPONENT) return `${mantissa}${decimalSuffix(exponent)}`;
  return `${mantissa * 10n ** BigInt(exponent - MAX_DECIMAL_EXPONENT)}E`;
}

function printBinary({ unscaled, exponent }: ScaledDecimal): string | undefined {
  if (exponent < 0 || exponent > MAX_DIGITS) return undefined;
  let mantissa = unscaled * 10n ** BigInt(exponent);
  if (mantissa > -1024n && mantissa < 1024n) return undefined;
  let factors = 0;
  while (factors < MAX_BINARY_FACTORS && mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    factors++;
  }
  return `${mantissa}${binarySuffix(factors)}`;
}
