/** Indexes of an indexed job, as text: `1,3-5,7`, increasing and below the number of completions. */

/** One piece of such a text, both ends included. */
interface Interval {
  readonly first: number;
  readonly last: number;
}

/** How many indexes the text names, or what is wrong with it. */
export function countIndexes(
  text: string,
  completions: number,
): { readonly total: number; readonly problem?: string } {
  let total = 0;
  let previous: number | undefined;
  for (const piece of text === "" ? [] : text.split(",")) {
    const interval = readInterval(piece, completions);
    if (typeof interval === "string") return { total: 0, problem: interval };
    const { first, last } = interval;
    if (previous !== undefined && previous >= first) {
      return { total: 0, problem: notIncreasing(previous, first) };
    }
    total += last - first + 1;
    previous = last;
  }
  return { total };
}

/** What is wrong where the same index is in both; pieces that cannot be read are passed over. */
export function overlapProblem(
  completed: string,
  failed: string,
  completions: number,
): string | undefined {
  const read = (text: string): Interval[] =>
    text === ""
      ? []
      : text
          .split(",")
          .map((piece) => readInterval(piece, completions))
          .filter((interval) => typeof interval !== "string");
  const [ones, others] = [read(completed), read(failed)];
  let [one, other] = [0, 0];
  while (one < ones.length && other < others.length) {
    const [left, right] = [ones[one]!, others[other]!];
    if (left.first <= right.last && right.first <= left.last) {
      const index = Math.max(left.first, right.first);
      return `failedIndexes and completedIndexes overlap at index: ${index}`;
    }
    if (left.first <= right.first) one += 1;
    else other += 1;
  }
  return undefined;
}

function readInterval(piece: string, completions: number): Interval | string {
  const ends = piece.split("-");
  if (ends.length > 2) {
    return `the fragment ${JSON.stringify(piece)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const numbers: number[] = [];
  for (const end of ends) {
    if (!/^[+-]?[0-9]+$/.test(end)) {
      return `cannot convert string to integer for index: ${JSON.stringify(end)}`;
    }
    if (Number(end) >= completions) return `too large index: ${JSON.stringify(end)}`;
    numbers.push(Number(end));
  }
  const [first = 0, last = first] = numbers;
  if (numbers.length > 1 && first >= last) return notIncreasing(first, last);
  return { first, last };
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
