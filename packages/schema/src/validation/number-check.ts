import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import { limitOf } from "../structural/schema-source.ts";
import { isJsonInteger, printFloat, toInt64 } from "./go-value.ts";

/** One thing wrong with a number: about the value, or (without one) about the schema or the range. */
export interface NumberProblem {
  readonly message: string;
  /** The value as the error shows it. */
  readonly shown?: string;
}

/**
 * Range, multiple and bounds of numbers. Integers are compared as integers with bounds cut to
 * integers, other numbers as floats.
 */
export class NumberCheck {
  readonly #type: string;
  readonly #format: string;
  readonly #multipleOf: number | undefined;
  readonly #minimum: Bound | undefined;
  readonly #maximum: Bound | undefined;

  constructor(source: Readonly<JSONSchemaProps>, kind: { type: string; format: string }) {
    this.#type = kind.type === "integer" || kind.type === "number" ? kind.type : "";
    this.#format = this.#type === "" ? "" : kind.format;
    this.#multipleOf = limitOf(source.multipleOf);
    this.#minimum = boundOf(source.minimum, source.exclusiveMinimum);
    this.#maximum = boundOf(source.maximum, source.exclusiveMaximum);
  }

  /** What is wrong with the number at `path`, in the order in which it is told. */
  problems(value: bigint | number, path: string): readonly NumberProblem[] {
    const problems: NumberProblem[] = [];
    const isInteger = typeof value === "bigint" || Number.isSafeInteger(value);
    this.#checkRange(problems, { number: value, name: "Checked", path });
    if (this.#multipleOf !== undefined) {
      const factor = this.#multipleOf;
      const fits = this.#checkRange(problems, { number: factor, name: "MultipleOf", path });
      const problem =
        isInteger && fits
          ? multipleOfInteger(BigInt(value), toInt64(factor), path)
          : multipleOfFloat(Number(value), factor, path);
      if (problem !== undefined) problems.push(problem);
    }
    if (this.#minimum !== undefined)
      this.#checkBound(problems, { value, isInteger, path, isMinimum: true });
    if (this.#maximum !== undefined)
      this.#checkBound(problems, { value, isInteger, path, isMinimum: false });
    return problems;
  }

  /** Whether it is surely right: plain numbers within plain bounds. False means only: look closer. */
  accepts(value: bigint | number): boolean {
    if (typeof value !== "number" || this.#multipleOf !== undefined) return false;
    if (this.#format === "int32" && (value < -(2 ** 31) || value >= 2 ** 31)) return false;
    if (this.#type === "integer" && !Number.isSafeInteger(value)) return false;
    if (this.#format === "float" && Math.abs(value) > 3.4e38) return false;
    return isWithin(value, this.#minimum, true) && isWithin(value, this.#maximum, false);
  }

  #checkBound(
    problems: NumberProblem[],
    at: { value: bigint | number; isInteger: boolean; path: string; isMinimum: boolean },
  ): void {
    const { value, isInteger, path, isMinimum } = at;
    const { limit, exclusive } = (isMinimum ? this.#minimum : this.#maximum)!;
    const name = isMinimum ? "Minimum boundary" : "Maximum boundary";
    const asInteger = this.#checkRange(problems, { number: limit, name, path }) && isInteger;
    const left = asInteger ? BigInt(value) : Number(value);
    const right = asInteger ? toInt64(limit) : limit;
    const isBeyond = isMinimum ? left < right : left > right;
    if (!isBeyond && !(exclusive && left === right)) return;
    const relation = `${isMinimum ? "greater than" : "less than"}${exclusive ? "" : " or equal to"}`;
    const message = `${path} in body should be ${relation} ${printNumber(right)}`;
    problems.push({ message, shown: printNumber(left) });
  }

  /** Whether a number is one that the declared type and format can hold. */
  #checkRange(
    problems: NumberProblem[],
    { number, name, path }: { number: bigint | number; name: string; path: string },
  ): boolean {
    if (fitsIn(number, this.#type, this.#format)) return true;
    const format = this.#format === "" ? "(default format)" : `with format ${this.#format}`;
    problems.push({ message: `${name} value must be of type ${this.#type} ${format} in ${path}` });
    return false;
  }
}

interface Bound {
  readonly limit: number;
  readonly exclusive: boolean;
}

function boundOf(limit: number | undefined, exclusive: boolean | undefined): Bound | undefined {
  const number = limitOf(limit);
  return number === undefined ? undefined : { limit: number, exclusive: exclusive === true };
}

/** Whether it is surely within. False means only: look closer. */
function isWithin(value: number, bound: Bound | undefined, isMinimum: boolean): boolean {
  if (bound === undefined) return true;
  if (!Number.isSafeInteger(bound.limit)) return false;
  return isMinimum
    ? value > bound.limit || (!bound.exclusive && value === bound.limit)
    : value < bound.limit || (!bound.exclusive && value === bound.limit);
}

function fitsIn(number: bigint | number, type: string, format: string): boolean {
  if (type === "integer") {
    if (typeof number === "number" && !Number.isInteger(number)) return false;
    const whole = BigInt(number);
    const limit = format === "int32" ? 2n ** 31n : 2n ** 63n;
    return whole >= -limit && whole < limit;
  }
  // Rounding to float32 gives infinity from half a step beyond the largest one on.
  return format !== "float" || Number.isFinite(Math.fround(Number(number)));
}

function multipleOfInteger(value: bigint, factor: bigint, path: string): NumberProblem | undefined {
  if (factor <= 0n) return notPositive(factor, path);
  if (value % factor === 0n) return undefined;
  return { message: `${path} in body should be a multiple of ${factor}`, shown: String(value) };
}

function multipleOfFloat(value: number, factor: number, path: string): NumberProblem | undefined {
  if (factor <= 0) return notPositive(factor, path);
  const multiple = factor < 1 ? (1 / factor) * value : value / factor;
  if (isJsonInteger(multiple)) return undefined;
  const message = `${path} in body should be a multiple of ${printFloat(factor)}`;
  return { message, shown: printFloat(value) };
}

function notPositive(factor: bigint | number, path: string): NumberProblem {
  const shown = printNumber(factor);
  return { message: `factor MultipleOf declared for ${path} must be positive: ${shown}`, shown };
}

function printNumber(number: bigint | number): string {
  return typeof number === "bigint" ? String(number) : printFloat(number);
}
