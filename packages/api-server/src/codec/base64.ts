/**
 * Base64 as Go's encoding/base64 reads and prints it: line breaks are skipped, padding is needed,
 * and bits beyond the last byte are dropped.
 */

const BREAK = /[\r\n]/;
const BREAKS = /[\r\n]+/g;
const OUTSIDE = /[^A-Za-z0-9+/]/;
/** What the last character before `=` and `==` is if no bit is lost. */
const LAST_OF_THREE = /[AEIMQUYcgkosw048]/;
const LAST_OF_TWO = /[AQgw]/;

/** The text as Go would print the bytes; a number is the byte of the text that Go refuses. */
export function readBase64(text: string): string | number {
  const end = text.search(OUTSIDE);
  if (end < 0 && text.length % 4 === 0) return text;
  const refused = firstRefused(text);
  if (refused !== undefined) return refused;
  const unbroken = BREAK.test(text) ? text.replace(BREAKS, "") : text;
  const padding = unbroken.endsWith("==") ? 2 : unbroken.endsWith("=") ? 1 : 0;
  if (padding === 0) return unbroken;
  const last = unbroken.charAt(unbroken.length - padding - 1);
  const exact = padding === 1 ? LAST_OF_THREE : LAST_OF_TWO;
  return exact.test(last) ? unbroken : btoa(atob(unbroken));
}

export function encodeBytes(bytes: readonly number[]): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Go reads four characters at a time; the byte it names is where it gives such a group up. */
function firstRefused(text: string): number | undefined {
  let at = 0;
  for (let inGroup = 0; ; at++) {
    if (at === text.length) return inGroup === 0 ? undefined : at - inGroup;
    const char = text.charAt(at);
    if (BREAK.test(char)) continue;
    if (char === "=") return inGroup < 2 ? at : refusedInPadding(text, { at, wanted: 4 - inGroup });
    if (OUTSIDE.test(char)) return at;
    inGroup = (inGroup + 1) % 4;
  }
}

function refusedInPadding(
  text: string,
  { at, wanted }: { at: number; wanted: number },
): number | undefined {
  let next = skipBreaks(text, at + 1);
  if (wanted === 2) {
    if (next === text.length) return text.length;
    if (text.charAt(next) !== "=") return next - 1;
    next = skipBreaks(text, next + 1);
  }
  return next < text.length ? next : undefined;
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (at < text.length && BREAK.test(text.charAt(at))) at++;
  return at;
}
