/** Whether a text is `host:port`, as Go's `net.SplitHostPort` reads it; `[::1]:80` for IPv6. */
export function isHostPort(text: string): boolean {
  const colon = text.lastIndexOf(":");
  if (colon === -1) return false;
  if (!text.startsWith("[")) return !/[:[\]]/.test(text.slice(0, colon)) && !/[[\]]/.test(text);
  const close = text.indexOf("]");
  if (close === -1 || close + 1 !== colon) return false;
  return !text.slice(1).includes("[") && !text.slice(close + 1).includes("]");
}
