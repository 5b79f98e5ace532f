/**
 * Arithmetic on what calls cost and how large values are, with cel-go's rounding: a factor rounds
 * up, sums and products saturate at {@link MAX_COST}. Ranges are immutable.
 */
import { codePointCount } from "../text/code-points.ts";
import { isOptional } from "../values/optional-value.ts";
import type { Value } from "../values/value.ts";
import type { CostRange, SizedArgument } from "./library.ts";

/** 2^64 - 1, which as a double is 2^64. */
export const MAX_COST: number = 2 ** 64;

export const UNKNOWN_SIZE: CostRange = Object.freeze({ min: 0, max: MAX_COST });

/** Of going through a text, per character. */
export const STRING_TRAVERSAL_FACTOR = 0.1;
/** Of matching, per character of the pattern. */
export const REGEX_LENGTH_FACTOR = 0.25;
export const LIST_CREATE_COST = 10;

export function fixedRange(value: number): CostRange {
  return { min: value, max: value };
}

export const ONE: CostRange = Object.freeze(fixedRange(1));

export function addRanges(a: CostRange, b: CostRange): CostRange {
  return { min: addCosts(a.min, b.min), max: addCosts(a.max, b.max) };
}

export function multiplyRanges(a: CostRange, b: CostRange): CostRange {
  return { min: multiplyCosts(a.min, b.min), max: multiplyCosts(a.max, b.max) };
}

export function scaleRange(range: CostRange, factor: number): CostRange {
  return { min: scaleCost(range.min, factor), max: scaleCost(range.max, factor) };
}

/** The smallest range that holds both. */
export function unionRanges(a: CostRange, b: CostRange): CostRange {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

export function addCosts(a: number, b: number): number {
  return Math.min(a + b, MAX_COST);
}

export function multiplyCosts(a: number, b: number): number {
  return Math.min(a * b, MAX_COST);
}

export function scaleCost(cost: number, factor: number): number {
  return Math.min(Math.ceil(cost * factor), MAX_COST);
}

/** How many units a value counts as: characters, bytes, elements, entries; 1 for all else. */
export function actualSize(value: Value): number {
  if (typeof value === "string") return codePointCount(value);
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof Uint8Array) return value.length;
  if ("size" in value && typeof value.size === "number") return value.size;
  if (isOptional(value) && value.value !== undefined) return actualSize(value.value);
  return 1;
}

/** The range of an argument's size; unknown for one that is not there. */
export function sizeOfArgument(args: readonly SizedArgument[], index: number): CostRange {
  return args[index]?.size ?? UNKNOWN_SIZE;
}
