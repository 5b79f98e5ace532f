import type { Issue } from "./issue.ts";
import type { Punctuation, Token, TokenKind } from "./token.ts";

const ESCAPE =
  String.raw`\\(?:[abfnrtv"'\\?` +
  "`" +
  String.raw`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`;
const STRING = [
  String.raw`"""(?:${ESCAPE}|[^\\])*?"""`,
  String.raw`'''(?:${ESCAPE}|[^\\])*?'''`,
  String.raw`"(?:${ESCAPE}|[^\\"\n\r])*"`,
  String.raw`'(?:${ESCAPE}|[^\\'\n\r])*'`,
  String.raw`[rR]"""[^]*?"""`,
  String.raw`[rR]'''[^]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
].join("|");

/** In this order the first that matches is the longest. */
const RULES: readonly (readonly [kind: TokenKind, rule: RegExp])[] = [
  ["BYTES", new RegExp(`[bB](?:${STRING})`, "yu")],
  ["STRING", new RegExp(STRING, "yu")],
  ["NUM_UINT", /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/y],
  [
    "NUM_FLOAT",
    /[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y,
  ],
  ["NUM_INT", /0x[0-9a-fA-F]+|[0-9]+/y],
  ["IDENTIFIER", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["ESC_IDENTIFIER", /`[A-Za-z0-9_.\-/ ]+`/y],
];
const SPACE = /(?:[\t \r\n\f]+|\/\/[^\n]*)+/y;
const PUNCTUATION = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
const KEYWORDS: ReadonlySet<string> = new Set(["in", "true", "false", "null"]);
/** Of a text in quotes that does not end: what it may hold. */
const STRING_START = new RegExp(
  `"""(?:${ESCAPE}|[^\\\\])*|'''(?:${ESCAPE}|[^\\\\])*|"(?:${ESCAPE}|[^\\\\"\\n\\r])*|'(?:${ESCAPE}|[^\\\\'\\n\\r])*`,
  "yu",
);
const ESCAPE_START = /\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?/y;
const OTHER_START = /&|\||=|`[A-Za-z0-9_.\-/ ]*/y;

export interface Tokens {
  /** With the end as the last. */
  readonly tokens: readonly Token[];
  /** Characters of no token are reported and left out. */
  readonly issues: readonly Issue[];
  readonly leftOut: readonly { readonly from: number; readonly to: number }[];
}

export function tokenize(text: string): Tokens {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  const leftOut: { readonly from: number; readonly to: number }[] = [];
  let at = 0;
  while (true) {
    at += lengthAt(SPACE, text, at);
    if (at >= text.length) break;
    const token = tokenAt(text, at);
    if (token !== undefined) {
      tokens.push(token);
      at += token.text.length;
      continue;
    }
    const end = endOfUnreadable(text, at);
    const message = `Syntax error: token recognition error at: '${text.slice(at, end)}'`;
    issues.push({ at, message });
    leftOut.push({ from: at, to: end });
    at = end;
  }
  tokens.push({ kind: "<EOF>", text: "<EOF>", at: text.length });
  return { tokens, issues, leftOut };
}

function tokenAt(text: string, at: number): Token | undefined {
  for (const [kind, rule] of RULES) {
    const length = lengthAt(rule, text, at);
    if (length === 0) continue;
    const word = text.slice(at, at + length);
    return { kind: KEYWORDS.has(word) ? (word as TokenKind) : kind, text: word, at };
  }
  const length = lengthAt(PUNCTUATION, text, at);
  const mark = text.slice(at, at + length);
  return length === 0 ? undefined : { kind: mark as Punctuation, text: mark, at };
}

/** Past the character at which no token could go on. */
function endOfUnreadable(text: string, at: number): number {
  let end = at + lengthAt(STRING_START, text, at);
  if (end > at) end += lengthAt(ESCAPE_START, text, end);
  else end += lengthAt(OTHER_START, text, at);
  const next = text.codePointAt(end);
  return next === undefined ? end : end + String.fromCodePoint(next).length;
}

function lengthAt(rule: RegExp, text: string, at: number): number {
  rule.lastIndex = at;
  return rule.test(text) ? rule.lastIndex - at : 0;
}
