import { decodeUtf8 } from "./decode-utf8.ts";
import { countKeysInText } from "./duplicate-fields.ts";
import { JsonSizeError } from "./json-error.ts";
import { MAX_JSON_BYTES, MAX_JSON_DEPTH, NATIVE_LEVELS } from "./json-limits.ts";
import { JsonParser } from "./json-parser.ts";
import type { JsonValue } from "./json-value.ts";
import { countPlainKeys } from "./plain-json.ts";

export interface DecodeJsonOptions {
  /** Bytes of UTF-8 the text may have. Default: what a string can hold, 512 MiB. */
  readonly maxBytes?: number;

  /** Levels of objects and lists. Default 10,000, kube-apiserver's. */
  readonly maxDepth?: number;

  /**
   * What to do about a key that an object holds twice. The last one wins either way; `report` gives
   * a DecodedJson that lists them. Default `ignore`.
   */
  readonly duplicates?: "ignore" | "report";
}

export interface DecodedJson {
  readonly value: JsonValue;
  /** Paths of keys held twice, `spec.replicas`, each once; 100 at most. */
  readonly duplicates: readonly string[];
}

/**
 * Reads a JSON text as kube-apiserver does. An int64 beyond 2^53 is a bigint, any other number a
 * number (a larger integer is the nearest float); bytes that are not UTF-8 and halves of surrogate
 * pairs become U+FFFD. Throws JsonSyntaxError, JsonDepthError, JsonSizeError or JsonNumberError.
 */
export function decodeJson(
  text: string | Uint8Array,
  options: DecodeJsonOptions & { readonly duplicates: "report" },
): DecodedJson;
export function decodeJson(
  text: string | Uint8Array,
  options?: DecodeJsonOptions & { readonly duplicates?: "ignore" },
): JsonValue;
export function decodeJson(
  text: string | Uint8Array,
  options: DecodeJsonOptions = {},
): JsonValue | DecodedJson {
  const wellFormed = textWithin(text, options.maxBytes ?? MAX_JSON_BYTES);
  const maxDepth = options.maxDepth ?? MAX_JSON_DEPTH;
  const report = options.duplicates === "report";
  const ordinary = decodeOrdinary(wellFormed, { maxDepth, report });
  if (ordinary !== undefined) return report ? { value: ordinary, duplicates: [] } : ordinary;

  const parser = new JsonParser(wellFormed, { maxDepth, duplicates: report });
  const value = parser.parse();
  return report ? { value, duplicates: parser.duplicates } : value;
}

/** Native JSON.parse, where its answer can be shown to be ours; undefined anywhere else. */
function decodeOrdinary(
  text: string,
  { maxDepth, report }: { maxDepth: number; report: boolean },
): JsonValue | undefined {
  if (mayMislead(text)) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    // The parser says what is wrong, and where.
    return undefined;
  }
  const keys = countPlainKeys(value, Math.min(maxDepth, NATIVE_LEVELS));
  if (keys < 0 || (report && keys !== countKeysInText(text))) return undefined;
  return value;
}

/**
 * Whether an escape is one that native JSON gets wrong: half a surrogate pair, which it keeps, or the
 * last character of a key. V8 14.6 takes such a key for another one it has seen in an object of the
 * same shape: after `{"a":1,"\\\\":1}` it reads `{"a":1,"\\"":1}` as the former.
 */
function mayMislead(text: string): boolean {
  // Most texts have few backslashes and are done with this search; where they are many, as in an
  // annotation that holds JSON, the expression is faster.
  const few = 32 + text.length / 256;
  let at = text.indexOf("\\");
  for (let seen = 0; at >= 0 && seen < few; seen++) {
    const escaped = text.charCodeAt(at + 1);
    if (escaped === 0x75 || text.charCodeAt(at + 2) === 0x22) return MISLEADING.test(text);
    at = text.indexOf("\\", at + 2);
  }
  return at >= 0 && MISLEADING.test(text);
}

const MISLEADING = /\\u[dD][89a-fA-F]|\\(?:[^u]|u[0-9a-fA-F]{4})"[ \t\r\n]*:/;

function textWithin(text: string | Uint8Array, maxBytes: number): string {
  if (typeof text !== "string") {
    if (text.length > maxBytes) throw new JsonSizeError(maxBytes, text.length);
    return decodeUtf8(text);
  }
  const wellFormed = text.toWellFormed();
  // A character has at most three bytes for each of its UTF-16 units: short texts need no count.
  if (wellFormed.length * 3 > maxBytes) {
    const bytes = utf8Length(wellFormed);
    if (bytes > maxBytes) throw new JsonSizeError(maxBytes, bytes);
  }
  return wellFormed;
}

function utf8Length(wellFormed: string): number {
  let bytes = wellFormed.length;
  for (let at = 0; at < wellFormed.length; at++) {
    const code = wellFormed.charCodeAt(at);
    // Each half of a surrogate pair is two of its four bytes.
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
