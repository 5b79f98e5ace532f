/** What Go's strconv.Quote prints: Kubernetes' messages show names and paths this way. */
export function goQuote(text: string): string {
  return `"${escapeAll(text, '"')}"`;
}

/**
 * A character as Go's JSON scanner names it. The scanner works on bytes, so a character beyond ASCII
 * shows as its first UTF-8 byte: `'ï'` for a byte order mark.
 */
export function goQuoteByte(character: string): string {
  const [byte = 0] = new TextEncoder().encode(character);
  return `'${escapeAll(String.fromCharCode(byte), "'")}'`;
}

function escapeAll(text: string, quote: string): string {
  return text.replace(unprintable(), (character) => {
    if (character === '"' || character === "'")
      return character === quote ? `\\${quote}` : character;
    const short = SHORT[character];
    if (short !== undefined) return short;
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    if (code < 0x80) return `\\x${hex.padStart(2, "0")}`;
    return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
  });
}

/**
 * Quotes, backslash, and all that strconv.IsPrint calls unprintable. Made when it is called: classes
 * of Unicode take most of a millisecond, which no start should wait for.
 */
function unprintable(): RegExp {
  return /["'\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
}

const SHORT: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};
