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
  const escapes = escapesIn(text);
  if (escapes === "misleading") return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    // The parser says what is wrong, and where.
    return undefined;
  }
  const keys = countPlainKeys(value, Math.min(maxDepth, NATIVE_LEVELS));
  if (keys < 0 || (report && keys !== countKeysInText(text))) return undefined;
  // The walk before has shown that recursion goes deep enough.
  if (escapes === "suspicious" && hasKeyEndingInBackslash(value)) return undefined;
  return value;
}

/**
 * What escapes in a text make of native JSON's answer. V8 14.6 takes a key that ends in an escape for
 * another one it has seen in an object of the same shape, which then ends in a backslash: after
 * `{"a":1,"\\\\":1}` it reads `{"a":1,"\\"":1}` as the former.
 *
 * fine        none that it could get wrong
 * suspicious  a key ends in an escape: the answer is good if no key in it ends in a backslash
 * misleading  half a surrogate pair, which it keeps; or a key that ends in a backslash indeed
 */
type Escapes = "fine" | "misleading" | "suspicious";

function escapesIn(text: string): Escapes {
  // Most texts have few backslashes and are done with this search; where they are many, as in an
  // annotation that holds JSON, the expressions are faster.
  const few = 32 + text.length / 256;
  let at = text.indexOf("\\");
  for (let seen = 0; at >= 0 && seen < few; seen++) {
    const escaped = text.charCodeAt(at + 1);
    if (escaped === 0x75 || text.charCodeAt(at + 2) === 0x22) return judgeEscapes(text);
    at = text.indexOf("\\", at + 2);
  }
  return at >= 0 ? judgeEscapes(text) : "fine";
}

function judgeEscapes(text: string): Escapes {
  if (MISLEADING.test(text)) return "misleading";
  return SUSPICIOUS.test(text) ? "suspicious" : "fine";
}

const MISLEADING = /\\u[dD][89a-fA-F]|\\(?:\\|u[0-9a-fA-F]{4})"[ \t\r\n]*:/;
const SUSPICIOUS = /\\[^u\\]"[ \t\r\n]*:/;

function hasKeyEndingInBackslash(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasKeyEndingInBackslash);
  for (const key in value) {
    if (key.endsWith("\\") || hasKeyEndingInBackslash(value[key]!)) return true;
  }
  return false;
}

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
