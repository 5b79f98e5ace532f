import type { JsonObject, JsonValue } from "../json/json-value.ts";

/**
 * How many bytes a value takes as the compact JSON that Go writes, visiting every container in it.
 * Without recursion: values in the middle of a JSON Patch may nest deeper than any limit.
 */
export function jsonSize(
  value: JsonValue,
  visit: (container: JsonObject | JsonValue[]) => void,
): number {
  let bytes = 0;
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string") {
      bytes += stringSize(next);
    } else if (typeof next !== "object" || next === null) {
      bytes += String(next).length;
    } else if (Array.isArray(next)) {
      visit(next);
      bytes += 2 + Math.max(0, next.length - 1);
      for (const item of next) pending.push(item);
    } else {
      visit(next);
      const keys = Object.keys(next);
      bytes += 2 + Math.max(0, keys.length - 1);
      for (const key of keys) {
        bytes += stringSize(key) + 1;
        pending.push(next[key] ?? null);
      }
    }
  }
  return bytes;
}

/** Go escapes more than JSON must: `<`, `>`, `&` and the two Unicode line separators. */
function stringSize(text: string): number {
  if (/^[ !#-%'-;=?-[\]-~]*$/.test(text)) return text.length + 2;
  let bytes = 2;
  for (const character of text) bytes += characterSize(character.codePointAt(0) ?? 0);
  return bytes;
}

function characterSize(code: number): number {
  if (code >= 0x10000) return 4;
  if (LONG_ESCAPES.has(code)) return 6;
  if (code >= 0x800) return 3;
  if (code >= 0x80 || SHORT_ESCAPES.has(code)) return 2;
  return code < 0x20 ? 6 : 1;
}

const SHORT_ESCAPES: ReadonlySet<number> = codesOf('"\\\b\f\n\r\t');
const LONG_ESCAPES: ReadonlySet<number> = codesOf("<>&\u2028\u2029");

function codesOf(characters: string): Set<number> {
  return new Set(Array.from(characters, (character) => character.charCodeAt(0)));
}
