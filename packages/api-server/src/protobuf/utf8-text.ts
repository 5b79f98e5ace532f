/** Beyond this, native code is faster than a loop. */
const SHORT = 24;

const REPLACEMENT = "\uFFFD";

/** The text of those bytes. Each byte that is no part of a character becomes U+FFFD, as Go prints it. */
export function readUtf8(bytes: Buffer, from: number, to: number): string {
  if (to === from) return "";
  if (to - from <= SHORT) {
    let text = "";
    let at = from;
    for (; at < to && bytes[at]! < 0x80; at++) text += String.fromCharCode(bytes[at]!);
    if (at === to) return text;
  }
  const text = bytes.toString("utf8", from, to);
  return text.includes(REPLACEMENT) ? readByByte(bytes.subarray(from, to)) : text;
}

/** Native code joins some of the bytes that are no character. */
function readByByte(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at]!;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const character = characterAt(bytes, at, length);
    text += character ?? REPLACEMENT;
    at += character === undefined ? 1 : length;
  }
  return text;
}

/** By the length of a character: the bits of its first byte that count, and the least it may be. */
const FIRST_BITS = [0, 0x7f, 0x1f, 0x0f, 0x07];
const LEAST = [0, 0, 0x80, 0x800, 0x10000];

/** Undefined where no character of that length is. */
function characterAt(bytes: Buffer, at: number, length: number): string | undefined {
  const first = bytes[at]!;
  // In the middle of a character, or longer than any.
  if ((first & 0xc0) === 0x80 || first >= 0xf8) return undefined;
  let code = first & FIRST_BITS[length]!;
  for (let next = at + 1; next < at + length; next++) {
    const byte = bytes[next] ?? 0;
    if ((byte & 0xc0) !== 0x80) return undefined;
    code = code * 0x40 + (byte & 0x3f);
  }
  const isSurrogate = code >= 0xd800 && code < 0xe000;
  if (code < LEAST[length]! || code > 0x10ffff || isSurrogate) return undefined;
  return String.fromCodePoint(code);
}
