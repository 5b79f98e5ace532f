/** The text or the bytes that a literal stands for, or why it stands for none. */
export type Unquoted<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

const SIMPLE: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["b", 8],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
  ["\\", 92],
  ["'", 39],
  ['"', 34],
  ["`", 96],
  ["?", 63],
]);
const ESCAPE =
  /\\(?:[xX](?<byte>[0-9a-fA-F]{2})|u(?<short>[0-9a-fA-F]{4})|U(?<long>[0-9a-fA-F]{8})|(?<octal>[0-3][0-7]{2})|(?<simple>[^]))/gu;

export function unquoteString(literal: string): Unquoted<string> {
  const { body, raw } = bodyOf(literal);
  if (raw || !body.includes("\\")) return { ok: true, value: body };
  let value = "";
  let end = 0;
  for (const match of body.matchAll(ESCAPE)) {
    const code = codeOf(match.groups ?? {});
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      return { ok: false, message: "invalid unicode code point" };
    }
    value += body.slice(end, match.index) + String.fromCodePoint(code);
    end = match.index + match[0].length;
  }
  return { ok: true, value: value + body.slice(end) };
}

/** Of a literal with its `b` left out: characters as UTF-8, `\x` and octal escapes as single bytes. */
export function unquoteBytes(literal: string): Unquoted<Uint8Array> {
  const { body, raw } = bodyOf(literal);
  const encoder = new TextEncoder();
  if (raw || !body.includes("\\")) return { ok: true, value: encoder.encode(body) };
  const bytes: number[] = [];
  let end = 0;
  for (const match of body.matchAll(ESCAPE)) {
    const groups = match.groups ?? {};
    if (groups["short"] !== undefined || groups["long"] !== undefined) {
      return { ok: false, message: "unable to unescape string" };
    }
    for (const byte of encoder.encode(body.slice(end, match.index))) bytes.push(byte);
    bytes.push(codeOf(groups));
    end = match.index + match[0].length;
  }
  for (const byte of encoder.encode(body.slice(end))) bytes.push(byte);
  return { ok: true, value: Uint8Array.from(bytes) };
}

function bodyOf(literal: string): { readonly body: string; readonly raw: boolean } {
  const raw = /^[rR]/.test(literal);
  const quoted = (raw ? literal.slice(1) : literal).replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const width = quoted.length >= 6 && /^(?:"""|''')/.test(quoted) ? 3 : 1;
  return { body: quoted.slice(width, -width), raw };
}

function codeOf(groups: Readonly<Record<string, string | undefined>>): number {
  const hex = groups["byte"] ?? groups["short"] ?? groups["long"];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  if (groups["octal"] !== undefined) return Number.parseInt(groups["octal"], 8);
  return SIMPLE.get(groups["simple"] ?? "") ?? 0;
}
