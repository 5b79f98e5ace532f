/**
 * Finds values by JSONPath as client-go does: fields, keys, indexes, slices, unions, wildcards, `..`
 * and filters. Templates with more than one action, and ranges, find nothing.
 */
import { type JsonValue, ownKey } from "@homeostat/object-model";
import { JsonPathParser } from "./json-path-parser.ts";

/** A path finds nothing, for a reason. */
class JsonPathSearchError extends Error {
  override readonly name: string = "JsonPathSearchError";
  readonly code = "json-path-search";
}

export type PathStep =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "wildcard" | "descent" }
  | { readonly kind: "slice"; readonly bounds: SliceBounds }
  | { readonly kind: "union"; readonly paths: readonly (readonly PathStep[])[] }
  | { readonly kind: "literal"; readonly value: boolean | number | string }
  | { readonly kind: "identifier"; readonly name: string }
  | FilterStep;

interface FilterStep {
  readonly kind: "filter";
  readonly left: readonly PathStep[];
  readonly operator: string;
  readonly right: readonly PathStep[];
}

/** An index is a slice of one, whose end follows from its start. */
export interface SliceBounds {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly isIndex: boolean;
  readonly step: number | undefined;
}

/** More than any table needs, and little enough for a path that multiplies what it finds. */
const MOST_VALUES = 100_000;

export class JsonPath {
  readonly #steps: readonly PathStep[];

  constructor(steps: readonly PathStep[]) {
    this.#steps = steps;
  }

  /** Undefined for a text that is no path. */
  static parse(text: string): JsonPath | undefined {
    const steps = new JsonPathParser(text).parse();
    return steps && new JsonPath(steps);
  }

  /** Throws {@link JsonPathSearchError} where the path does not fit what it meets. */
  find(value: JsonValue): readonly JsonValue[] {
    return walk([value], this.#steps);
  }

  /** The first value; undefined for none, whatever the reason. */
  first(value: JsonValue): JsonValue | undefined {
    try {
      return this.find(value)[0];
    } catch (error) {
      if (error instanceof JsonPathSearchError) return undefined;
      throw error;
    }
  }
}

function walk(values: readonly JsonValue[], steps: readonly PathStep[]): readonly JsonValue[] {
  let found = values;
  for (const step of steps) {
    found = take(found, step);
    if (found.length > MOST_VALUES) throw new JsonPathSearchError("too many values");
  }
  return found;
}

function take(values: readonly JsonValue[], step: PathStep): readonly JsonValue[] {
  switch (step.kind) {
    case "field":
      return values.flatMap((value) => {
        const member = isMap(value) ? ownKey(value, step.name) : undefined;
        return member === undefined ? [] : [member];
      });
    case "wildcard":
      return values.flatMap(membersOf);
    case "descent":
      return descend(values);
    case "slice":
      return values.flatMap((value) => (value === null ? [] : sliceOf(value, step.bounds)));
    case "union":
      return step.paths.flatMap((path) => walk(values, path));
    case "literal":
      return values.length === 0 ? [] : [step.value];
    case "identifier":
      throw new JsonPathSearchError(`unrecognized identifier ${step.name}`);
    case "filter":
      return values.flatMap((value) => filtered(value, step));
  }
}

function isMap(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function membersOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return isMap(value) ? Object.values(value) : [];
}

/** All that has members, those above before those below. */
function descend(values: readonly JsonValue[]): readonly JsonValue[] {
  const found: JsonValue[] = [];
  const waiting = values.toReversed();
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    const members = membersOf(value);
    if (members.length === 0) continue;
    found.push(value);
    for (let at = members.length - 1; at >= 0; at--) waiting.push(members[at]!);
  }
  return found;
}

function sliceOf(value: JsonValue, bounds: SliceBounds): readonly JsonValue[] {
  if (!Array.isArray(value)) throw new JsonPathSearchError("what is sliced is no list");
  const { length } = value;
  let start = bounds.start ?? 0;
  if (start < 0) start += length;
  let end = bounds.isIndex ? (bounds.start ?? 0) + 1 : (bounds.end ?? length);
  if (end < 0 || (end === 0 && bounds.isIndex)) end += length;
  if (start === end) return [];
  if (start < 0 || start >= length || end < 0 || end > length || start > end) {
    throw new JsonPathSearchError(`array index out of bounds: index ${start}, length ${length}`);
  }
  const step = bounds.step ?? 1;
  if (step <= 0) throw new JsonPathSearchError("step must be > 0");
  return value.slice(start, end).filter((_, index) => index % step === 0);
}

function filtered(value: JsonValue, { left, operator, right }: FilterStep): readonly JsonValue[] {
  if (!Array.isArray(value)) throw new JsonPathSearchError("what is filtered is no list");
  return value.filter((item) => {
    if (operator === "exists") return exists(item, left);
    const lefts = walk([item], left);
    if (lefts.length === 0) return false;
    const rights = walk([item], right);
    if (rights.length === 0) return false;
    if (lefts.length > 1 || rights.length > 1) {
      throw new JsonPathSearchError("can only compare one element at a time");
    }
    return holds(lefts[0]!, operator, rights[0]!);
  });
}

function exists(item: JsonValue, path: readonly PathStep[]): boolean {
  try {
    return walk([item], path).length > 0;
  } catch (error) {
    // What fails has its input for a result.
    if (error instanceof JsonPathSearchError) return true;
    throw error;
  }
}

type Scalar = bigint | boolean | number | string;

/** Only values of one kind compare; whole numbers and others are two kinds. */
function holds(left: JsonValue, operator: string, right: JsonValue): boolean {
  const kind = kindOf(left);
  if (kind === undefined || kind !== kindOf(right)) {
    throw new JsonPathSearchError("incompatible types for comparison");
  }
  const [one, other] = [left as Scalar, right as Scalar];
  switch (operator) {
    case "==":
      return one === other;
    case "!=":
      return one !== other;
    default:
      break;
  }
  if (kind === "boolean") throw new JsonPathSearchError("invalid type for comparison");
  switch (operator) {
    case "<":
      return one < other;
    case "<=":
      return one <= other;
    case ">":
      return one > other;
    case ">=":
      return one >= other;
    default:
      throw new JsonPathSearchError(`unrecognized filter operator ${operator}`);
  }
}

function kindOf(value: JsonValue): string | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? "bigint" : "float";
  return typeof value === "object" ? undefined : typeof value;
}
