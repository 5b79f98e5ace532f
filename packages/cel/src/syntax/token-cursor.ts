import type { Token, TokenKind } from "./token.ts";

/** The text is no expression; where and why is found out by reading it again. */
export class UnexpectedToken extends Error {
  override readonly name = "UnexpectedToken";
  readonly code = "unexpected-token";
}

/** Tokens one after the other. Behind the last there is the last, which is the end. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(ahead = 0): Token {
    return this.#tokens[this.#next + ahead] ?? this.#tokens.at(-1)!;
  }

  advance(): Token {
    const token = this.peek();
    this.#next += 1;
    return token;
  }

  /** The token where it is of this kind; undefined otherwise. */
  accept(kind: TokenKind): Token | undefined {
    return this.peek().kind === kind ? this.advance() : undefined;
  }

  /** Throws UnexpectedToken. */
  take(kind: TokenKind): Token {
    const token = this.accept(kind);
    if (token === undefined) throw new UnexpectedToken();
    return token;
  }
}
