/**
 * A double as the decimal digits it exactly is, and rounding of them half to even, as Go prints
 * floats. (JavaScript's own toFixed and toExponential round halves up and end at 100 digits.)
 */
export interface DecimalDigits {
  /** No leading and no trailing zeros; empty for zero. */
  readonly digits: string;
  /** How many of the digits stand before the point; may be negative or more than there are. */
  readonly point: number;
}

/** Of a finite number; the sign is left out. */
export function exactDigits(value: number): DecimalDigits {
  const { mantissa, exponent } = binaryParts(Math.abs(value));
  if (exponent >= 0) return trimmed((mantissa << BigInt(exponent)).toString(), 0);
  // m / 2^k is m * 5^k / 10^k.
  const scale = -exponent;
  return trimmed((mantissa * 5n ** BigInt(scale)).toString(), scale);
}

/** The fewest digits that are read back as the same double. */
export function shortestDigits(value: number): DecimalDigits {
  const [mantissa = "", exponent = "0"] = Math.abs(value).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  return trimmed(digits, digits.length - 1 - Number(exponent));
}

/** At most `count` digits, counted from the first one; none for a negative count. */
export function roundDigits(number: DecimalDigits, count: number): DecimalDigits {
  const { digits, point } = number;
  if (count >= digits.length) return number;
  if (count < 0) return { digits: "", point: 0 };
  const kept = BigInt(`0${digits.slice(0, count)}`);
  const rest = digits.slice(count);
  const isHalf = rest === "5";
  const goesUp = isHalf ? kept % 2n === 1n : rest >= "5";
  return trimmed((goesUp ? kept + 1n : kept).toString(), count - point);
}

/** With this many digits behind the point, zeros filled in. */
export function printFixed(number: DecimalDigits, fraction: { min: number; max: number }): string {
  const rounded = roundDigits(number, number.point + fraction.max);
  const { digits, point } = rounded;
  const whole = point <= 0 ? "0" : digits.slice(0, point).padEnd(point, "0");
  const behind = point >= 0 ? digits.slice(point) : "0".repeat(-point) + digits;
  const padded = (digits === "" ? "" : behind).padEnd(fraction.min, "0");
  return padded === "" ? whole : `${whole}.${padded}`;
}

/** `digits / 10^scale`, without zeros at either end. */
function trimmed(digits: string, scale: number): DecimalDigits {
  const significant = digits.replace(/^0+/, "");
  if (significant === "") return { digits: "", point: 0 };
  return { digits: significant.replace(/0+$/, ""), point: significant.length - scale };
}

function binaryParts(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = bits & (2n ** 52n - 1n);
  const biased = Number(bits >> 52n) & 0x7ff;
  if (biased === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | (2n ** 52n), exponent: biased - 1075 };
}
