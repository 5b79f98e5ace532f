/**
 * What CEL's string functions do to texts, with positions in code points and Go's notions of white
 * space and of empty separators. Positions out of range are undefined. What may take long on long
 * texts is done in steps.
 */
import { codePointCount, unitOffset, unitsAt } from "./code-points.ts";
import { lastIndexIn, TextSearch } from "./text-search.ts";
import { REST_AFTER, type WorkSteps } from "./work-steps.ts";

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
export function* indexOfText(
  text: string,
  wanted: string,
  from: bigint,
): WorkSteps<bigint | undefined> {
  if (wanted === "") return from;
  if (from < 0n) return undefined;
  const start = unitOffset(text, Number(from));
  const unit = start === undefined ? -1 : yield* new TextSearch(wanted).indexIn(text, start);
  return unit === -1 ? -1n : BigInt(codePointCount(text, unit));
}

/** The last one that begins at `from` or before it; -1 for a position behind the text. */
export function* lastIndexOfText(
  text: string,
  wanted: string,
  from: bigint,
): WorkSteps<bigint | undefined> {
  if (wanted === "") return from;
  if (from < 0n) return undefined;
  const start = unitOffset(text, Number(from));
  if (start === undefined || start >= text.length) return -1n;
  const unit = yield* lastIndexIn(text, wanted, start);
  return unit === -1 ? -1n : BigInt(codePointCount(text, unit));
}

/**
 * At most `limit` times, without bound where it is negative. An empty text is found before every
 * character and at the end.
 */
export function* replaceText(
  text: string,
  change: { from: string; to: string; limit: bigint },
): WorkSteps<string> {
  const { from, to, limit } = change;
  if (limit === 0n) return text;
  if (from === "") return yield* interleave(text, { to, limit });
  const most = limit < 0n ? limit : limit + 1n;
  return yield* joinTexts(yield* splitText(text, { separator: from, limit: most }), to);
}

function* interleave(
  text: string,
  { to, limit }: { to: string; limit: bigint },
): WorkSteps<string> {
  const pieces = yield* splitText(text, { separator: "", limit });
  // One more at the end, where the limit allows it.
  if (limit < 0n || limit > BigInt(pieces.length)) pieces.push("");
  return to + (yield* joinTexts(pieces, to));
}

/** At most `limit` pieces, the last with all that is left; all where the limit is negative. */
export function* splitText(
  text: string,
  { separator, limit }: { separator: string; limit: bigint },
): WorkSteps<string[]> {
  if (limit === 0n) return [];
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  const pieces: string[] = [];
  const search = separator === "" ? undefined : new TextSearch(separator);
  let at = 0;
  while (pieces.length < most - 1) {
    if (search === undefined) {
      if (at >= text.length) return pieces;
      const end = at + unitsAt(text, at);
      pieces.push(text.slice(at, end));
      at = end;
    } else {
      const next = yield* search.indexIn(text, at);
      if (next === -1) break;
      pieces.push(text.slice(at, next));
      at = next + separator.length;
    }
    if (pieces.length % REST_AFTER.elements === 0) yield;
  }
  if (search !== undefined || at < text.length) pieces.push(text.slice(at));
  return pieces;
}

export function* joinTexts(texts: readonly string[], separator: string): WorkSteps<string> {
  if (texts.length <= REST_AFTER.elements) return texts.join(separator);
  const parts: string[] = [];
  for (let start = 0; start < texts.length; start += REST_AFTER.elements) {
    parts.push(texts.slice(start, start + REST_AFTER.elements).join(separator));
    yield;
  }
  return parts.join(separator);
}

/** What `change` makes of a text whose characters it changes one by one, wherever they stand. */
function* changeText(text: string, change: (part: string) => string): WorkSteps<string> {
  if (text.length <= REST_AFTER.elements) return change(text);
  let changed = "";
  for (let start = 0; start < text.length; start += REST_AFTER.elements) {
    changed += change(text.slice(start, start + REST_AFTER.elements));
    yield;
  }
  return changed;
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

export function lowerAscii(text: string): WorkSteps<string> {
  return changeText(text, (part) => {
    if (ASCII.test(part)) return part.toLowerCase();
    return part.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  });
}

export function upperAscii(text: string): WorkSteps<string> {
  return changeText(text, (part) => {
    if (ASCII.test(part)) return part.toUpperCase();
    return part.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
  });
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
export function* quoteText(text: string): WorkSteps<string> {
  const escaped = yield* changeText(text, (part) =>
    part.replace(/[\p{Cc}\\"]/gu, (char) => ESCAPES.get(char) ?? char),
  );
  return `"${escaped}"`;
}
