/**
 * A quantity's number in the form in which kube-apiserver holds it, because `isInteger`,
 * `asInteger` and `asApproximateFloat` show the form: a value is an integer only where it is held
 * in 64 bits without a fraction (`1000m` is none, nor is `1Ei`), and 3.3 is 33 / 10 in floats.
 * Comparing and printing do not depend on it: the object model's Quantity does that.
 */
export interface QuantityAmount {
  /** Times 10 to the `exponent` is the number. */
  readonly value: bigint;
  readonly exponent: number;
  /** Held in 64 bits; else as a decimal of any size. */
  readonly isSmall: boolean;
}

const NANO = -9;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

/** Digits that surely fit 64 bits. */
const SMALL_DECIMAL_DIGITS = 18;
const SMALL_BINARY_DIGITS = 14;

/** Exponents come from people (`1e2000000000`): beyond this nothing is written out. */
const FAR = 400;

const DECIMAL_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);
const BINARY_SUFFIXES = "KMGTPE";

/** Of a text that is known to be a quantity. */
export function parseAmount(text: string): QuantityAmount {
  const match = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?(.*)$/.exec(text);
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match ?? [];
  const digits = (whole === "" ? "0" : whole) + fraction;
  const size = BigInt(sign + digits.replace(/^0+(?=.)/, ""));
  if (suffix.endsWith("i")) {
    return binaryAmount({ size, digits, fraction, suffix: suffix.charAt(0) });
  }
  const exponent = decimalExponent(suffix) - fraction.length;
  if (digits.length <= SMALL_DECIMAL_DIGITS && exponent >= NANO) {
    return { value: size, exponent, isSmall: true };
  }
  return largeAmount(size, exponent);
}

function binaryAmount(parts: {
  size: bigint;
  digits: string;
  fraction: string;
  suffix: string;
}): QuantityAmount {
  const { size, digits, fraction, suffix } = parts;
  const bits = 10 * (BINARY_SUFFIXES.indexOf(suffix) + 1);
  const value = size << BigInt(bits);
  const spare = SMALL_BINARY_DIGITS - digits.length - Math.floor((bits * 3) / 10);
  if (fraction === "" && spare >= 0) return { value, exponent: 0, isSmall: true };
  const large = largeAmount(value, -fraction.length);
  if (large.value > MAX_INT64 * NANOS_PER_UNIT) return { ...large, value: MAX_INT64, exponent: 0 };
  if (large.value < -MAX_INT64 * NANOS_PER_UNIT) {
    return { ...large, value: -MAX_INT64, exponent: 0 };
  }
  return large;
}

const NANOS_PER_UNIT = 10n ** 9n;

/**
 * Large numbers are held in nanos, rounded away from zero. Those beyond the range of floats stay as
 * they are: they only ever show as infinite.
 */
function largeAmount(value: bigint, exponent: number): QuantityAmount {
  if (value === 0n || exponent > FAR) return { value, exponent, isSmall: false };
  if (exponent >= NANO) {
    return { value: value * 10n ** BigInt(exponent - NANO), exponent: NANO, isSmall: false };
  }
  const drop = NANO - exponent;
  const isNothing = drop > value.toString().length;
  const divisor = isNothing ? 1n : 10n ** BigInt(drop);
  const isExact = !isNothing && value % divisor === 0n;
  const quotient = isNothing ? 0n : value / divisor;
  const away = isExact ? 0n : value > 0n ? 1n : -1n;
  return { value: quotient + away, exponent: NANO, isSmall: false };
}

function decimalExponent(suffix: string): number {
  return DECIMAL_SUFFIXES.get(suffix) ?? Number(suffix.slice(1));
}

export function amountOf(value: bigint): QuantityAmount {
  return { value, exponent: 0, isSmall: true };
}

/** In 64 bits as long as both are and the sum fits. */
export function addAmounts(a: QuantityAmount, b: QuantityAmount): QuantityAmount {
  const isSmall = a.isSmall && b.isSmall;
  if (isSmall && b.value === 0n) return a;
  if (isSmall && a.value === 0n) return b;
  if (Math.abs(a.exponent - b.exponent) > FAR) {
    return { ...(a.exponent > b.exponent ? a : b), isSmall: false };
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const left = a.value * 10n ** BigInt(a.exponent - exponent);
  const right = b.value * 10n ** BigInt(b.exponent - exponent);
  const value = left + right;
  return { value, exponent, isSmall: isSmall && [left, right, value].every(fitsInt64) };
}

export function negateAmount(amount: QuantityAmount): QuantityAmount {
  return { ...amount, value: -amount.value };
}

/** Undefined where it is not held as an integer. */
export function integerOf(amount: QuantityAmount): bigint | undefined {
  if (!amount.isSmall || amount.exponent < 0) return undefined;
  if (amount.value === 0n) return 0n;
  if (amount.exponent > SMALL_DECIMAL_DIGITS) return undefined;
  const value = amount.value * 10n ** BigInt(amount.exponent);
  return fitsInt64(value) ? value : undefined;
}

export function approximateFloatOf(amount: QuantityAmount): number {
  const base = Number(amount.value);
  return amount.exponent === 0 ? base : base * Number(`1e${amount.exponent}`);
}

function fitsInt64(value: bigint): boolean {
  return value >= MIN_INT64 && value <= MAX_INT64;
}
