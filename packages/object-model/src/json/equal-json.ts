import { JsonDepthError } from "./json-error.ts";
import { MAX_JSON_DEPTH } from "./json-limits.ts";

type Container = Readonly<Record<string, unknown>>;

/** Two containers that are still to be compared, and how many contain them. */
interface Pair {
  readonly left: Container;
  readonly right: Container;
  readonly depth: number;
}

/**
 * Whether two values are the same JSON: key order, `-0`, a bigint where a number would do, and
 * members that are undefined make no difference. Throws JsonDepthError where both nest deeper than
 * anything that can be read, which is also how comparing values that contain themselves ends.
 */
export function equalJson(left: unknown, right: unknown): boolean {
  return equalWithin(left, right, RECURSION_LEVELS);
}

/** So deep recursion goes, which is several times faster; below are only strange values. */
const RECURSION_LEVELS = 50;

function equalWithin(left: unknown, right: unknown, levels: number): boolean {
  if (left === right) return true;
  if (!isContainer(left) || !isContainer(right)) return areSameNumber(left, right);
  if (levels === 0) return equalDeep(left, right);
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    for (let at = 0; at < left.length; at++) {
      if (!equalWithin(left[at], right[at], levels - 1)) return false;
    }
    return true;
  }
  let unmatched = 0;
  for (const key of Object.keys(left)) {
    const member = left[key];
    if (member === undefined) continue;
    if (!Object.hasOwn(right, key) || !equalWithin(member, right[key], levels - 1)) return false;
    unmatched--;
  }
  for (const key of Object.keys(right)) if (right[key] !== undefined) unmatched++;
  return unmatched === 0;
}

/** The same without recursion, for what is below its levels. */
function equalDeep(left: Container, right: Container): boolean {
  // Taken from its end: the walk goes deep before it goes wide, so that a cycle meets the limit of
  // depth instead of multiplying.
  const pending: Pair[] = [{ left, right, depth: RECURSION_LEVELS }];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    if (pair.depth >= MAX_JSON_DEPTH) throw new JsonDepthError(MAX_JSON_DEPTH);
    if (!equalMembers(pair, pending)) return false;
  }
  return true;
}

/** Compares scalars; containers are left for later. */
function equalSoFar(
  [left, right, depth]: readonly [unknown, unknown, number],
  pending: Pair[],
): boolean {
  if (left === right) return true;
  if (isContainer(left) && isContainer(right)) {
    pending.push({ left, right, depth });
    return true;
  }
  return areSameNumber(left, right);
}

/** A number and a bigint are the same where they are written the same. */
function areSameNumber(left: unknown, right: unknown): boolean {
  return isNumeric(left) && isNumeric(right) && String(left) === String(right);
}

function equalMembers({ left, right, depth }: Pair, pending: Pair[]): boolean {
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right)) return false;
    if (left.length !== right.length) return false;
    return left.every((item, index) => equalSoFar([item, right[index], depth + 1], pending));
  }
  let unmatched = 0;
  for (const key of Object.keys(right)) if (right[key] !== undefined) unmatched++;
  for (const key of Object.keys(left)) {
    const member = left[key];
    if (member === undefined) continue;
    if (!Object.hasOwn(right, key)) return false;
    if (!equalSoFar([member, right[key], depth + 1], pending)) return false;
    unmatched--;
  }
  return unmatched === 0;
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
