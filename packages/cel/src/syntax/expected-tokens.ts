import type { Grammar, State } from "./grammar.ts";
import type { TokenKind } from "./token.ts";

/** Tokens that may come next; `end` where the rule may end first. */
export interface Lookahead {
  readonly tokens: ReadonlySet<TokenKind>;
  readonly end: boolean;
}

/** What may come next in states of a grammar. */
export class ExpectedTokens {
  readonly #grammar: Grammar;
  readonly #known = new Map<State, Lookahead>();

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
  }

  /** Within the rule of the state. */
  after(state: State): Lookahead {
    const known = this.#known.get(state);
    if (known !== undefined) return known;
    const tokens = new Set<TokenKind>();
    const found = { tokens, end: this.#collect(state, tokens, new Set()) };
    this.#known.set(state, found);
    return found;
  }

  /** With what follows the invocations around it, the innermost first. */
  within(state: State, follows: Iterable<State>): ReadonlySet<TokenKind> {
    const first = this.after(state);
    const tokens = new Set(first.tokens);
    let { end } = first;
    for (const follow of follows) {
      if (!end) return tokens;
      const next = this.after(follow);
      for (const token of next.tokens) tokens.add(token);
      ({ end } = next);
    }
    if (end) tokens.add("<EOF>");
    return tokens;
  }

  /** Whether the rule may end at this state. */
  #collect(state: State, tokens: Set<TokenKind>, seen: Set<State>): boolean {
    if (seen.has(state)) return false;
    seen.add(state);
    if (state.kind === "stop") return true;
    let end = false;
    for (const edge of state.edges) {
      if (edge.kind === "token") for (const token of edge.tokens) tokens.add(token);
      else if (edge.kind !== "rule") end = this.#collect(edge.to, tokens, seen) || end;
      else {
        const inner = this.after(this.#grammar.get(edge.rule)!.start);
        for (const token of inner.tokens) tokens.add(token);
        if (inner.end) end = this.#collect(edge.to, tokens, seen) || end;
      }
    }
    return end;
  }
}

/** In the order in which the official grammar declares them. */
const ORDER: readonly TokenKind[] = [
  "<EOF>",
  "==",
  "!=",
  "in",
  "<",
  "<=",
  ">=",
  ">",
  "&&",
  "||",
  "[",
  "]",
  "{",
  "}",
  "(",
  ")",
  ".",
  ",",
  "-",
  "!",
  "?",
  ":",
  "+",
  "*",
  "/",
  "%",
  "true",
  "false",
  "null",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
  "ESC_IDENTIFIER",
];

export function printTokens(tokens: ReadonlySet<TokenKind>): string {
  const names = ORDER.filter((token) => tokens.has(token)).map((token) =>
    /^(?:<EOF>|[A-Z_]{2,})$/.test(token) ? token : `'${token}'`,
  );
  return names.length === 1 ? names[0]! : `{${names.join(", ")}}`;
}
