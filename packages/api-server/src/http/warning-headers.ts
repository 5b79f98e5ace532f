const MAX_CHARACTERS = 4096;
const MAX_CHARACTERS_OF_ONE = 256;

/**
 * Texts as Warning headers: each once, in order. If together they are too long, each is cut, and what
 * is still too much is left out.
 */
export function warningHeaders(texts: readonly string[]): string[] {
  const sayable = [...new Set(texts)].filter((text) => text !== "" && !/\p{Cc}/u.test(text));
  const whole = sayable.map((text) => Array.from(text));
  const total = whole.reduce((sum, { length }) => sum + length, 0);
  if (total <= MAX_CHARACTERS) return sayable.map(warningHeader);
  const headers: string[] = [];
  let written = 0;
  for (const characters of whole) {
    if (written >= MAX_CHARACTERS) break;
    const kept = characters.slice(0, MAX_CHARACTERS_OF_ONE);
    written += kept.length;
    headers.push(warningHeader(kept.join("")));
  }
  return headers;
}

/** RFC 7234's form: code 299, no agent, the text quoted. */
function warningHeader(text: string): string {
  return `299 - "${text.replaceAll(/[\\"]/g, "\\$&")}"`;
}
