/**
 * The three ways to write a quantity's magnitude. A quantity remembers the one it was written in
 * and prints in it again.
 */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

export interface QuantitySuffix {
  readonly format: QuantityFormat;
  readonly base: 2 | 10;
  readonly exponent: number;
}

const DECIMAL: readonly (readonly [string, number])[] = [
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
];

/** Index = how many factors of 1024. */
const BINARY: readonly string[] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

const BY_TEXT: ReadonlyMap<string, QuantitySuffix> = new Map<string, QuantitySuffix>([
  ...DECIMAL.map(
    ([text, exponent]) => [text, { format: "DecimalSI", base: 10, exponent }] as const,
  ),
  ...BINARY.slice(1).map(
    (text, index) => [text, { format: "BinarySI", base: 2, exponent: 10 * (index + 1) }] as const,
  ),
]);

const BY_EXPONENT: ReadonlyMap<number, string> = new Map(
  DECIMAL.map(([text, exponent]) => [exponent, text]),
);

export const MAX_DECIMAL_EXPONENT: number = 18;
export const MAX_BINARY_FACTORS: number = BINARY.length - 1;

const DECIMAL_EXPONENT = /^[eE]([+-]?)0*(\d{1,10})$/;
const INT32_MAX = 2 ** 31 - 1;

/** Undefined for a suffix that does not exist, or an exponent that does not fit 32 bits. */
export function parseSuffix(text: string): QuantitySuffix | undefined {
  const known = BY_TEXT.get(text);
  if (known !== undefined) return known;
  const match = DECIMAL_EXPONENT.exec(text);
  if (match === null) return undefined;
  const exponent = Number(match[2]);
  if (exponent > INT32_MAX) return undefined;
  return {
    format: "DecimalExponent",
    base: 10,
    exponent: match[1] === "-" && exponent !== 0 ? -exponent : exponent,
  };
}

/** `exponent` is a multiple of 3 from -9 to {@link MAX_DECIMAL_EXPONENT}. */
export function decimalSuffix(exponent: number): string {
  return BY_EXPONENT.get(exponent)!;
}

/** `factors` of 1024, from 0 to {@link MAX_BINARY_FACTORS}. */
export function binarySuffix(factors: number): string {
  return BINARY[factors]!;
}
