import { equalJson, type JsonValue } from "@homeostat/object-model";

/** Deeper values are compared without recursion. */
const MAX_LEVELS = 50;

/** Whether two decoded values are the same JSON: {@link equalJson}, faster for what is shallow. */
export function sameJson(
  left: JsonValue | readonly JsonValue[],
  right: JsonValue | readonly JsonValue[],
  levels: number = MAX_LEVELS,
): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object") return equalJson(left, right);
  if (left === null || right === null) return false;
  if (levels === 0) return equalJson(left, right);
  if (isList(left) || isList(right)) {
    if (!isList(left) || !isList(right) || left.length !== right.length) return false;
    for (let at = 0; at < left.length; at++) {
      if (!sameJson(left[at]!, right[at]!, levels - 1)) return false;
    }
    return true;
  }
  let count = 0;
  for (const key in left) {
    if (!Object.hasOwn(right, key)) return false;
    if (!sameJson(left[key]!, right[key]!, levels - 1)) return false;
    count++;
  }
  for (const _ in right) count--;
  return count === 0;
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
