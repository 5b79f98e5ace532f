import { NATIVE_LEVELS } from "./json-limits.ts";

/**
 * Proves that native JSON did a value justice: it nests no deeper than recursion may go, and holds
 * no number that could stand for another (an integer beyond 2^53, a float out of range), no bigint
 * and nothing that is no data. Gives the number of its keys, or -1 where that cannot be shown.
 *
 * This walk is the codec's whole price on ordinary objects; for-in and the order of the tests make
 * it a tenth of `JSON.parse`.
 */
export function countPlainKeys(value: unknown, levels: number = NATIVE_LEVELS): number {
  if (typeof value === "object" && value !== null) return countIn(value, levels);
  return isPlainScalar(value) ? 0 : -1;
}

function countIn(container: object, levels: number): number {
  if (levels <= 0) return -1;
  let keys = 0;
  if (Array.isArray(container)) {
    for (let index = 0; index < container.length; index++) {
      const item: unknown = container[index];
      if (typeof item === "object" && item !== null) {
        const inner = countIn(item, levels - 1);
        if (inner < 0) return -1;
        keys += inner;
      } else if (!isPlainScalar(item)) return -1;
    }
    return keys;
  }
  for (const key in container) {
    keys++;
    const member: unknown = (container as Record<string, unknown>)[key];
    if (typeof member === "object" && member !== null) {
      const inner = countIn(member, levels - 1);
      if (inner < 0) return -1;
      keys += inner;
    } else if (!isPlainScalar(member)) return -1;
  }
  return keys;
}

function isPlainScalar(value: unknown): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  return (
    typeof value === "number" &&
    value <= Number.MAX_SAFE_INTEGER &&
    value >= Number.MIN_SAFE_INTEGER
  );
}
