/**
 * What Go's `%q` and strconv.Quote print. Kubernetes' messages show what they were given this way.
 */
import { toByteText } from "./byte-text.ts";

export function goQuote(text: string): string {
  return `"${escapeText(text)}"`;
}

/** Of a byte text that may have been cut inside a character: bytes that are no UTF-8 show as `\xNN`. */
export function goQuoteBytes(bytes: string): string {
  let out = "";
  for (const piece of bytes.match(UTF8_PIECES) ?? []) out += escapeBytes(piece);
  return `"${out}"`;
}

/** One character's bytes, or one stray byte. */
const UTF8_PIECES =
  /[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function escapeBytes(piece: string): string {
  const text = decoder.decode(Uint8Array.from(piece, (char) => char.charCodeAt(0)));
  if (toByteText(text) === piece) return escapeText(text);
  return Array.from(piece, (char) => `\\x${hexOf(char.charCodeAt(0), 2)}`).join("");
}

function escapeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(unprintable(), (character) => {
    const short = SHORT.get(character);
    if (short !== undefined) return short;
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xd800 && code <= 0xdfff) return "\uFFFD";
    if (code < 0x80) return `\\x${hexOf(code, 2)}`;
    return code < 0x10000 ? `\\u${hexOf(code, 4)}` : `\\U${hexOf(code, 8)}`;
  });
}

function hexOf(code: number, width: number): string {
  return code.toString(16).padStart(width, "0");
}

/** Printable ASCII without quote and backslash. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * The quote, the backslash, and all that strconv.IsPrint calls unprintable. Made when it is called:
 * classes of Unicode take most of a millisecond, which no start should wait for.
 */
function unprintable(): RegExp {
  return /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
]);
