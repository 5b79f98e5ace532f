/**
 * Text to tree. `parse` never throws: what is wrong is in the issues, in the words of the parser that
 * kube-apiserver has. A text without syntax errors is read in one pass (parser.ts); where the pass
 * meets a token it cannot use, `syntax-errors.ts` reads the text again to find the words.
 */
import type { Expression } from "./expression.ts";
import type { Issue } from "./issue.ts";
import { tokenize } from "./lexer.ts";
import { DepthError } from "./nesting.ts";
import { Parser } from "./parser.ts";
import { findSyntaxErrors } from "./syntax-errors.ts";
import type { Token } from "./token.ts";
import { UnexpectedToken } from "./token-cursor.ts";

const MAX_CODE_POINTS = 100_000;

export interface Parsed {
  readonly expression: Expression;
  /** None: the expression is whole. */
  readonly issues: readonly Issue[];
}

export function parse(text: string): Parsed {
  const broken: Expression = { kind: "broken", id: 0, at: 0 };
  const size = codePoints(text);
  if (size > MAX_CODE_POINTS) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`;
    return { expression: broken, issues: [{ at: undefined, message }] };
  }
  const tokenized = tokenize(text);
  const { tokens, issues } = tokenized;
  const parser = new Parser(tokens);
  try {
    const expression = parser.parse();
    if (issues.length === 0) return { expression, issues: parser.issues };
    return { expression, issues: [...issues, ...parser.issues] };
  } catch (error) {
    if (error instanceof DepthError) {
      return { expression: broken, issues: [...issues, { at: undefined, message: error.message }] };
    }
    if (!(error instanceof UnexpectedToken)) throw error;
    const found = findSyntaxErrors(text, tokenized);
    const later = issuesOfRepaired(found.repaired) ?? found.laterIssues;
    return { expression: broken, issues: [...issues, ...found.issues, ...later] };
  }
}

/** Undefined where there is no text that could be read. */
function issuesOfRepaired(tokens: readonly Token[] | undefined): readonly Issue[] | undefined {
  if (tokens === undefined) return undefined;
  const parser = new Parser(tokens);
  try {
    parser.parse();
    return parser.issues;
  } catch (error) {
    if (error instanceof DepthError || error instanceof UnexpectedToken) return undefined;
    throw error;
  }
}

function codePoints(text: string): number {
  if (text.length <= MAX_CODE_POINTS) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
