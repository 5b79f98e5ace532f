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
  // Taken from its end: the walk goes deep before it goes wide, so that a cycle meets the limit of
  // depth instead of multiplying.
  const pending: Pair[] = [];
  if (!equalSoFar([left, right, 0], pending)) return false;
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
  // A number and a bigint are the same where they are written the same.
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
