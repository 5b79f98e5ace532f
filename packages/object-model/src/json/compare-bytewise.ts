/** Halves of surrogate pairs, which UTF-8 puts behind all other characters. */
const SURROGATES = 0xd800;
const BEHIND_SURROGATES = 0xe000;

/** The order of the texts' UTF-8 bytes: Go's order of map keys. */
export function compareBytewise(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return a < SURROGATES || b < SURROGATES ? a - b : rank(a) - rank(b);
  }
  return left.length - right.length;
}

function rank(code: number): number {
  return code < BEHIND_SURROGATES ? code + 0x10000 : code;
}
