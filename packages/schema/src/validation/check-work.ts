// How long parts of a check take, in microseconds, roughly: a walk rests when it has worked for a slice.
import type { JsonValue } from "@homeostat/object-model";
import type { SchemaCheck } from "./schema-check.ts";

const SIMPLE_WORK = 1;
/** Of telling a problem, beside its text. */
export const PROBLEM_WORK = 5;
export const CHARACTERS_PER_MICROSECOND = 50;
export const MEMBERS_PER_MICROSECOND = 10;
/** Longer texts take a while even where there is no pattern. */
const SHORT_TEXT = 50_000;

/** Of a value that has no parts, nor is checked by what is nested; more than a slice of others. */
export function simpleWork(check: SchemaCheck, value: JsonValue): number {
  if (value === null) return SIMPLE_WORK;
  if (typeof value === "object" || check.hasNested) return Number.POSITIVE_INFINITY;
  if (typeof value !== "string") return SIMPLE_WORK;
  if (value.length > SHORT_TEXT) return Number.POSITIVE_INFINITY;
  return check.pattern === undefined ? SIMPLE_WORK : SIMPLE_WORK + check.pattern.work(value);
}
