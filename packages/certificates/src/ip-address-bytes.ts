/**
 * An IP address as 4 or 16 bytes; undefined for any other text. Without `node:net`: its test for
 * IPv6 is a regular expression that takes several milliseconds of a start to compile.
 */
export function ipAddressBytes(text: string): Uint8Array | undefined {
  return text.includes(":") ? ipv6Bytes(text) : ipv4Bytes(text);
}

function ipv4Bytes(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  const isAddress =
    parts.length === 4 &&
    parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  return isAddress ? Uint8Array.from(parts, Number) : undefined;
}

function ipv6Bytes(text: string): Uint8Array | undefined {
  const halves = withoutDottedEnd(text).split("::");
  const [head = [], tail] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const written = head.length + (tail?.length ?? 0);
  // "::" stands for at least one group; without it all eight are written.
  const isComplete = tail === undefined ? written === 8 : written < 8;
  if (halves.length > 2 || !isComplete) return undefined;
  const zeros = Array.from({ length: 8 - written }, () => "0");
  const groups = [...head, ...zeros, ...(tail ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return Uint8Array.from(
    groups.flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 0xff];
    }),
  );
}

/** "::ffff:1.2.3.4" as "::ffff:102:304". */
function withoutDottedEnd(text: string): string {
  const start = text.lastIndexOf(":") + 1;
  const bytes = ipv4Bytes(text.slice(start));
  if (bytes === undefined) return text;
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return `${text.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
