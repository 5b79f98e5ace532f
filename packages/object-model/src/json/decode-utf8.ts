const REPLACEMENT = "\uFFFD";

/**
 * Bytes as text. As in Go, each byte that is not part of a valid character becomes U+FFFD of its
 * own (a TextDecoder would join some), and a byte order mark is kept: JSON does not begin with one.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  const text = decoder().decode(bytes);
  return text.includes(REPLACEMENT) ? decodeByByte(bytes) : text;
}

/** Made on first use: importing this file does nothing. Stateless without `stream`. */
let shared: TextDecoder | undefined;

function decoder(): TextDecoder {
  shared ??= new TextDecoder("utf-8", { ignoreBOM: true });
  return shared;
}

function decodeByByte(bytes: Uint8Array): string {
  const pieces: string[] = [];
  let validFrom = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (at > validFrom) pieces.push(decoder().decode(bytes.subarray(validFrom, at)));
    pieces.push(REPLACEMENT);
    at++;
    validFrom = at;
  }
  pieces.push(decoder().decode(bytes.subarray(validFrom)));
  return pieces.join("");
}

/** How many bytes the character at `at` has; 0 where no valid character begins there. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // Neither continuation bytes, overlong forms nor what lies beyond U+10FFFF begin a character.
  if (first < 0xc2 || first > 0xf4) return 0;
  for (let next = 1; next < length; next++) {
    if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  const second = bytes[at + 1] ?? 0;
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  if (first === 0xf4 && second > 0x8f) return 0;
  return length;
}
