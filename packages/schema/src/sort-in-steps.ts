import type { WorkSteps } from "@homeostat/cel";

/** How many are sorted, and how many merged, between two rests. */
const RUN = 1_000;
const MERGED_PER_SLICE = 4_096;

/** Sorts a list in place as `Array.sort` does; a long one by merging runs of it, with rests between. */
export function* sortInSteps<T>(list: T[], compare: (a: T, b: T) => number): WorkSteps<T[]> {
  if (list.length <= RUN) return list.sort(compare);
  let runs: T[][] = [];
  for (let at = 0; at < list.length; at += RUN) {
    runs.push(list.slice(at, at + RUN).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const other = runs[at + 1];
      longer.push(other === undefined ? runs[at]! : yield* merge([runs[at]!, other], compare));
    }
    runs = longer;
  }
  const [sorted = []] = runs;
  for (const [index, item] of sorted.entries()) list[index] = item;
  return list;
}

function* merge<T>(
  [left, right]: readonly [readonly T[], readonly T[]],
  compare: (a: T, b: T) => number,
): WorkSteps<T[]> {
  const merged: T[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const takesLeft = r === right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0);
    merged.push(takesLeft ? left[l++]! : right[r++]!);
    if (merged.length % MERGED_PER_SLICE === 0) yield;
  }
  return merged;
}
