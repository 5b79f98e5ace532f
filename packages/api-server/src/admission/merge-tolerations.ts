import { equalJson } from "@homeostat/object-model";
import type { Toleration } from "@homeostat/object-model/core-v1";

/** All of both, without those that another one covers. */
export function mergeTolerations(
  first: readonly Toleration[],
  second: readonly Toleration[],
): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [at, each] of all.entries()) {
    if (merged.some((other) => covers(other, each))) continue;
    // Of equal ones the first stays.
    const later = all.slice(at + 1).filter((other) => !isSame(each, other));
    if (!later.some((other) => covers(other, each))) merged.push(each);
  }
  return merged;
}

function covers(wide: Toleration, narrow: Toleration): boolean {
  if (isSame(wide, narrow)) return true;
  const anyKey = !wide.key && wide.operator === "Exists";
  if ((wide.key ?? "") !== (narrow.key ?? "") && !anyKey) return false;
  if (wide.effect && wide.effect !== (narrow.effect ?? "")) return false;
  if (wide.effect === "NoExecute" && wide.tolerationSeconds !== undefined) {
    const { tolerationSeconds: seconds } = narrow;
    if (seconds === undefined || seconds > wide.tolerationSeconds) return false;
  }
  if (wide.operator === "Exists") return true;
  const isEqual = !wide.operator || wide.operator === "Equal";
  return isEqual && narrow.operator === "Equal" && (wide.value ?? "") === (narrow.value ?? "");
}

function isSame(a: Toleration, b: Toleration): boolean {
  return equalJson(a, b);
}
