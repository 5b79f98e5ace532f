/**
 * What CEL's string functions do to texts, with positions in code points and Go's notions of white
 * space and of empty separators. Positions out of range are undefined.
 */
import { codePointCount, unitOffset } from "./code-points.ts";

/** Empty for the position behind the last character. */
export function characterAt(text: string, position: bigint): string | undefined {
  const unit = unitOffset(text, Number(position));
  if (unit === undefined) return undefined;
  const code = text.codePointAt(unit);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** From `start` to before `end`; without it to the end of the text. */
export function sliceText(text: string, start: bigint, end?: bigint): string | undefined {
  const from = unitOffset(text, Number(start));
  const to = end === undefined ? text.length : unitOffset(text, Number(end));
  return from === undefined || to === undefined ? undefined : text.slice(from, to);
}

/** -1 where there is none at `from` or behind it; an empty text is found where the search begins. */
export function indexOfText(text: string, wanted: string, from: bigint): bigint | undefined {
  if (wanted === "") return from;
  if (from < 0n) return undefined;
  const start = unitOffset(text, Number(from));
  const unit = start === undefined ? -1 : text.indexOf(wanted, start);
  return unit === -1 ? -1n : BigInt(codePointCount(text, unit));
}

/** The last one that begins at `from` or before it; -1 for a position behind the text. */
export function lastIndexOfText(text: string, wanted: string, from: bigint): bigint | undefined {
  if (wanted === "") return from;
  if (from < 0n) return undefined;
  const start = unitOffset(text, Number(from));
  if (start === undefined || start >= text.length) return -1n;
  const unit = text.lastIndexOf(wanted, start);
  return unit === -1 ? -1n : BigInt(codePointCount(text, unit));
}

/**
 * At most `limit` times, without bound where it is negative. An empty text is found before every
 * character and at the end.
 */
export function replaceText(
  text: string,
  change: { from: string; to: string; limit: bigint },
): string {
  const { from, to, limit } = change;
  if (limit === 0n) return text;
  if (from === "") return interleave(text, { to, limit });
  const pieces = splitText(text, { separator: from, limit: limit < 0n ? limit : limit + 1n });
  return pieces.join(to);
}

function interleave(text: string, { to, limit }: { to: string; limit: bigint }): string {
  const characters = charactersOf(text);
  // One more at the end, where the limit allows it.
  characters.push("");
  if (limit < 0n || limit >= BigInt(characters.length)) return to + characters.join(to);
  const count = Number(limit);
  return to + characters.slice(0, count).join(to) + characters.slice(count).join("");
}

/** At most `limit` pieces, the last with all that is left; all where the limit is negative. */
export function splitText(
  text: string,
  { separator, limit }: { separator: string; limit: bigint },
): string[] {
  if (limit === 0n) return [];
  const all = separator === "" ? charactersOf(text) : text.split(separator);
  if (limit < 0n || BigInt(all.length) <= limit) return all;
  const count = Number(limit) - 1;
  return [...all.slice(0, count), all.slice(count).join(separator)];
}

function charactersOf(text: string): string[] {
  return codePointCount(text) === text.length ? text.split("") : Array.from(text);
}

const ASCII = /^[\0-\x7f]*$/;

/** What Unicode calls white space, with U+0085 and without the byte order mark. */
const SPACE =
  "[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const LEADING_SPACE = new RegExp(`^${SPACE}+`);
const IS_SPACE = new RegExp(`^${SPACE}$`);

export function trimText(text: string): string {
  const start = LEADING_SPACE.exec(text)?.[0].length ?? 0;
  // From the end by hand: a pattern would be tried at every space inside.
  let end = text.length;
  while (end > start && IS_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

export function lowerAscii(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function upperAscii(text: string): string {
  if (ASCII.test(text)) return text.toUpperCase();
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

/** As a literal of CEL in double quotes; only what CEL has a short escape for is escaped. */
export function quoteText(text: string): string {
  const escaped = text.replace(/[\p{Cc}\\"]/gu, (char) => ESCAPES.get(char) ?? char);
  return `"${escaped}"`;
}
