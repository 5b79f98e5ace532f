/** The text or the bytes that a literal stands for, or why it stands for none. */
export type Unquoted<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

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
const ESCAPE = /\\(?:([xX])([0-9a-fA-F]{2})|(u)([0-9a-fA-F]{4})|(U)([0-9a-fA-F]{8})|([0-3][0-7]{2})|([^]))/gu;

export function unquoteString(literal: string): Unquoted<string> {
  const { body, raw } = bodyOf(literal);
  if (raw || !body.includes("\\")) return { ok: true, value: body };
  let refused: string | undefined;
  const value = body.replace(ESCAPE, (_, _x, hex2, _u, hex4, _U, hex8, octal, simple) => {
    const code = codeOf({ hex: hex2 ?? hex4 ?? hex8, octal, simple });
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      refused = "invalid unicode code point";
      return "";
    }
    return String.fromCodePoint(code);
  });
  return refused === undefined ? { ok: true, value } : { ok: false, message: refused };
}

/** Of a literal with its `b` left out: characters as UTF-8, `\x` and octal escapes as single bytes. */
export function unquoteBytes(literal: string): Unquoted<Uint8Array> {
  const { body, raw } = bodyOf(literal);
  const encoder = new TextEncoder();
  if (raw || !body.includes("\\")) return { ok: true, value: encoder.encode(body) };
  const bytes: number[] = [];
  let end = 0;
  for (const match of body.matchAll(ESCAPE)) {
    const [escape, , hex2, u, , U, , octal, simple] = match;
    if (u !== undefined || U !== undefined) return { ok: false, message: "unable to unescape string" };
    bytes.push(...encoder.encode(body.slice(end, match.index)));
    bytes.push(codeOf({ hex: hex2, octal, simple }));
    end = match.index + escape.length;
  }
  bytes.push(...encoder.encode(body.slice(end)));
  return { ok: true, value: Uint8Array.from(bytes) };
}

function bodyOf(literal: string): { readonly body: string; readonly raw: boolean } {
  const raw = /^[rR]/.test(literal);
  const quoted = (raw ? literal.slice(1) : literal).replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const width = quoted.length >= 6 && /^(?:"""|''')/.test(quoted) ? 3 : 1;
  return { body: quoted.slice(width, -width), raw };
}

function codeOf(escape: {
  readonly hex: string | undefined;
  readonly octal: string | undefined;
  readonly simple: string | undefined;
}): number {
  if (escape.hex !== undefined) return Number.parseInt(escape.hex, 16);
  if (escape.octal !== undefined) return Number.parseInt(escape.octal, 8);
  return SIMPLE.get(escape.simple ?? "") ?? 0;
}
