import { QuantityError, QuantityRangeError } from "./quantity-error.ts";
import { parseSuffix, type QuantityFormat, type QuantitySuffix } from "./quantity-suffix.ts";
import {
  compareDecimals,
  MAX_DIGITS,
  roundAwayFromZero,
  type ScaledDecimal,
  scaledDecimal,
  signOf,
} from "./scaled-decimal.ts";

/** What a text says. */
export interface ParsedQuantity {
  readonly number: ScaledDecimal;
  readonly format: QuantityFormat;
  /** The text itself, where Kubernetes prints it back instead of the canonical form. */
  readonly keptText: string | undefined;
}

interface Parts {
  readonly negative: boolean;
  /** Digits before the dot, without leading zeros; "0" where there are none. */
  readonly whole: string;
  readonly fraction: string;
  /** Whether any digit was written; `m` and `.` have none and still mean zero. */
  readonly hasDigits: boolean;
  readonly suffix: string;
}

const WRONG_FORMAT =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_NUMBER = "unable to parse numeric part of quantity";
const WRONG_SUFFIX = "unable to parse quantity's suffix";

export const NANO = -9;
const MAX_BINARY: ScaledDecimal = scaledDecimal(2n ** 63n - 1n, 0);
const ONE: ScaledDecimal = scaledDecimal(1n, 0);

/**
 * Reads a quantity as Kubernetes does: anything finer than a nano is rounded away from zero, binary
 * quantities stop at 2^63-1, and a binary quantity below one becomes a decimal one. Unlike
 * Kubernetes it refuses what only an attacker writes: more than {@link MAX_DIGITS} digits, and
 * exponents beyond 32 bits (which wrap there: `1e4294967296` is 1).
 */
export function parseQuantity(text: string): ParsedQuantity {
  if (text === "") throw new QuantityError(WRONG_FORMAT, text);
  const parts = splitQuantity(text);
  const suffix = parseSuffix(parts.suffix);
  if (suffix === undefined) throw new QuantityError(WRONG_SUFFIX, text);
  if (isSmall(parts, suffix)) {
    const keptText = isCanonicalEnough(parts, suffix) ? text : undefined;
    return { number: numberOf(parts, suffix), format: suffix.format, keptText };
  }
  if (!parts.hasDigits) throw new QuantityError(WRONG_NUMBER, text);
  const digits = parts.whole.length + parts.fraction.length;
  if (digits > MAX_DIGITS) {
    throw new QuantityRangeError(
      `expected a quantity of at most ${MAX_DIGITS} digits, got one of ${digits}`,
    );
  }
  return { ...limit(numberOf(parts, suffix), suffix.format), keptText: undefined };
}

function splitQuantity(text: string): Parts {
  let at = 0;
  const negative = text[0] === "-";
  if (negative || text[0] === "+") at++;
  const start = at;
  while (text[at] === "0") at++;
  const firstDigit = at;
  while (isDigit(text, at)) at++;
  const whole = text.slice(firstDigit, at) || "0";
  let digits = at - start;
  let fraction = "";
  if (text[at] === ".") {
    const dot = at++;
    while (isDigit(text, at)) at++;
    fraction = text.slice(dot + 1, at);
    digits += fraction.length;
  }
  const suffixStart = at;
  while (at < text.length && "eEinumkKMGTP".includes(text[at]!)) at++;
  if (text[at] === "+" || text[at] === "-") at++;
  while (isDigit(text, at)) at++;
  if (at < text.length) throw new QuantityError(WRONG_FORMAT, text);
  return { negative, whole, fraction, hasDigits: digits > 0, suffix: text.slice(suffixStart) };
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/**
 * Kubernetes reads small numbers on a fast path, and only there keeps the text. The bounds are part
 * of what it prints, so they are ours too.
 */
function isSmall({ whole, fraction }: Parts, { format, exponent }: QuantitySuffix): boolean {
  if (format === "BinarySI") {
    return fraction === "" && 14 - whole.length - Math.floor((exponent * 3) / 10) >= 0;
  }
  return whole.length + fraction.length <= 18 && exponent - fraction.length >= NANO;
}

/** Its guess whether a text is canonical; it lets through `1.500` and `+1`, which stay as they are. */
function isCanonicalEnough({ whole, fraction }: Parts, suffix: QuantitySuffix): boolean {
  if (suffix.format === "BinarySI") return Number(whole) % 8 !== 0;
  const digits = whole + fraction;
  return (
    (suffix.exponent - fraction.length) % 3 === 0 &&
    !digits.endsWith("000") &&
    !digits.startsWith("0")
  );
}

function numberOf({ negative, whole, fraction }: Parts, suffix: QuantitySuffix): ScaledDecimal {
  const size = BigInt(fraction === "" ? whole : whole + fraction);
  const unscaled = negative ? -size : size;
  if (suffix.base === 2) {
    return scaledDecimal(unscaled * 2n ** BigInt(suffix.exponent), -fraction.length);
  }
  return scaledDecimal(unscaled, suffix.exponent - fraction.length);
}

function limit(
  number: ScaledDecimal,
  format: QuantityFormat,
): { number: ScaledDecimal; format: QuantityFormat } {
  const rounded = roundToNano(number);
  if (format !== "BinarySI" || signOf(rounded) === 0) return { number: rounded, format };
  const negative = signOf(rounded) < 0;
  const size = negative ? negateDecimal(rounded) : rounded;
  if (compareDecimals(size, ONE) < 0) return { number: rounded, format: "DecimalSI" };
  if (compareDecimals(size, MAX_BINARY) <= 0) return { number: rounded, format };
  return { number: negative ? negateDecimal(MAX_BINARY) : MAX_BINARY, format };
}

/** Nothing is finer than a nano: whoever asks for something gets something. */
export function roundToNano(number: ScaledDecimal): ScaledDecimal {
  if (number.exponent >= NANO) return number;
  return scaledDecimal(roundAwayFromZero(number, NANO), NANO);
}

export function negateDecimal(number: ScaledDecimal): ScaledDecimal {
  return { unscaled: -number.unscaled, exponent: number.exponent };
}
