import { InvalidOptionError } from "./invalid-option-error.ts";

/**
 * How options say a length of time: milliseconds, or text of numbers with units from large to
 * small, each at most once: "250ms", "1s", "1m30s", "1.5h", "7d". Never negative, never endless.
 */
export type Duration = number | string;

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
] as const;

const NUMBER = String.raw`(\d+(?:\.\d+)?)`;
const TEXT = new RegExp(`^${UNITS.map(([unit]) => `(?:${NUMBER}${unit})?`).join("")}$`);

/** `option` names the value in the error, as the caller wrote it. */
export function toMilliseconds(duration: Duration, option = "duration"): number {
  const milliseconds = typeof duration === "string" ? parse(duration) : duration;
  if (milliseconds >= 0 && milliseconds <= Number.MAX_SAFE_INTEGER) return milliseconds;
  throw new InvalidOptionError({
    option,
    got: duration,
    expected: 'milliseconds of at least 0 or text like "250ms", "1s", "1m30s", "2h"',
  });
}

/** Text that {@link toMilliseconds} reads back: "1m30s", "250ms", "0s". */
export function formatDuration(milliseconds: number): string {
  let rest = toMilliseconds(milliseconds, "milliseconds");
  let text = "";
  for (const [unit, size] of UNITS) {
    const count = size === 1 ? toNanoseconds(rest) : Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) text += `${count}${unit}`;
  }
  return text === "" ? "0s" : text;
}

/** NaN when the text is not a duration. */
function parse(text: string): number {
  if (text === "0") return 0;
  const match = TEXT.exec(text);
  if (match === null || text === "") return Number.NaN;
  const parts = UNITS.map(([, size], index) => Number(match[index + 1] ?? 0) * size);
  return toNanoseconds(parts.reduce((sum, part) => sum + part, 0));
}

/** Drops what binary fractions add: 1.005 s is 1,005 ms and not a hair less. */
function toNanoseconds(milliseconds: number): number {
  const nanoseconds = Math.round(milliseconds * 1e6);
  return Number.isSafeInteger(nanoseconds) ? nanoseconds / 1e6 : milliseconds;
}
