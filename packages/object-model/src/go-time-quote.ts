const utf8 = new TextEncoder();

/**
 * How Go's `time` package shows a text in its messages: in quotes, with every byte outside
 * printable ASCII as `\xNN`. Kubernetes passes these messages on.
 */
export function goTimeQuote(text: string): string {
  let out = '"';
  for (const char of text) {
    if (char >= " " && char < "\u0080") {
      out += char === '"' || char === "\\" ? `\\${char}` : char;
      continue;
    }
    for (const byte of utf8.encode(char)) out += `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return `${out}"`;
}
