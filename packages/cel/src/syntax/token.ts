/** Names as messages print them: punctuation and keywords quoted, classes of tokens bare. */
export type TokenKind =
  | Punctuation
  | "in"
  | "true"
  | "false"
  | "null"
  | "NUM_FLOAT"
  | "NUM_INT"
  | "NUM_UINT"
  | "STRING"
  | "BYTES"
  | "IDENTIFIER"
  | "ESC_IDENTIFIER"
  | "<EOF>";

export type Punctuation =
  | "=="
  | "!="
  | "<"
  | "<="
  | ">="
  | ">"
  | "&&"
  | "||"
  | "["
  | "]"
  | "{"
  | "}"
  | "("
  | ")"
  | "."
  | ","
  | "-"
  | "!"
  | "?"
  | ":"
  | "+"
  | "*"
  | "/"
  | "%";

export interface Token {
  readonly kind: TokenKind;
  /** As written. */
  readonly text: string;
  readonly at: number;
}
