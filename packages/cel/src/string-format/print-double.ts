import { exactDigits, printFixed, roundDigits, shortestDigits } from "./decimal-digits.ts";

/** Go's formatter gives up on longer numbers in a clause. */
const LONGEST_NUMBER = 10_000_009;
const GIVEN_UP = "%!(NOVERB)";
/** No double has more digits behind the point. */
const MOST_FRACTION_DIGITS = 1074;
const SCIENTIFIC_DIGITS = 7;

/**
 * `%f`: US English, so with thousands in groups. The precision is kept in small integers by the
 * printer that kube-apiserver uses: the least number of digits in 8 bits, the greatest in 16
 * signed ones, where negative means the shortest form. Up to 255 digits nobody sees it.
 */
export function printGroupedFixed(value: number, precision: number): string {
  if (precision > LONGEST_NUMBER) return GIVEN_UP;
  const special = specialDouble(value);
  if (special !== undefined) return special;
  const min = precision % 2 ** 8;
  const max = Number(BigInt.asIntN(16, BigInt(precision)));
  const digits = max < 0 ? shortestDigits(value) : exactDigits(value);
  const limit = max < 0 ? MOST_FRACTION_DIGITS : Math.min(max, MOST_FRACTION_DIGITS);
  const [whole = "", ...fraction] = printFixed(digits, { min, max: limit }).split(".");
  return sign(value) + [whole.replace(/\d(?=(?:\d{3})+$)/g, "$&,"), ...fraction].join(".");
}

/** `%e`: always six digits; what the clause gives as precision is taken as width. */
export function printScientific(value: number, width: number): string {
  if (width > LONGEST_NUMBER) return GIVEN_UP;
  const text = specialDouble(value) ?? sign(value) + scientific(value);
  return text.padStart(width % 2 ** 16);
}

/** A double inside a list or map: six digits behind the point, no groups. */
export function printElementDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const minus = Object.is(value, -0) || value < 0 ? "-" : "";
  return minus + printFixed(exactDigits(value), { min: 6, max: 6 });
}

function scientific(value: number): string {
  const { digits, point } = roundDigits(exactDigits(value), SCIENTIFIC_DIGITS);
  const padded = digits.padEnd(SCIENTIFIC_DIGITS, "0");
  const exponent = digits === "" ? 0 : point - 1;
  const power = Math.abs(exponent).toString().padStart(2, "0");
  const raised = power.replace(/\d/g, (digit) => SUPERSCRIPTS.charAt(Number(digit)));
  return `${padded.charAt(0)}.${padded.slice(1)}×10${exponent < 0 ? "⁻" : ""}${raised}`;
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function specialDouble(value: number): string | undefined {
  if (Number.isNaN(value)) return "NaN";
  if (Number.isFinite(value)) return undefined;
  return value > 0 ? "∞" : "-∞";
}

function sign(value: number): string {
  return value < 0 ? "-" : "";
}
