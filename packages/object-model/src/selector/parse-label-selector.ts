import { printFieldErrors } from "../field-error.ts";
import {
  BINARY_OPERATORS,
  checkKey,
  checkRequirement,
  type LabelOperator,
  type LabelRequirement,
} from "./label-requirement.ts";
import { SelectorError } from "./selector-error.ts";

type TokenKind = "end" | "word" | "," | "(" | ")" | "!" | "operator";

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  ["in", "in"],
  ["notin", "notin"],
  [">", "gt"],
  ["<", "lt"],
]);

/**
 * The tokens of a selector. Blanks separate and mean nothing; a symbol is the longest that exists.
 * A NUL ends the text, except right after a token, where it is skipped: so it is in Kubernetes.
 */
const TOKEN = /[ \t\r\n]*(?:(\0|$)|(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>\0]+))\0?)/y;

const END: Token = { kind: "end", text: "" };

/** The requirements in the order written. Throws {@link SelectorError} with Kubernetes' text. */
export function parseLabelRequirements(text: string): LabelRequirement[] {
  return new LabelSelectorParser(text).parse();
}

class LabelSelectorParser {
  readonly #tokens: Token[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = scan(text);
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const { kind, text } = this.#peekValue();
      if (kind === "end") return requirements;
      if (kind !== "word" && kind !== "!") {
        throw unexpected(text, "!, identifier, or 'end of string'");
      }
      requirements.push(this.#requirement());
      const next = this.#nextValue();
      if (next.kind === "end") return requirements;
      if (next.kind !== ",") throw unexpected(next.text, "',' or 'end of string'");
      const after = this.#peekValue();
      if (after.kind !== "word" && after.kind !== "!") {
        throw unexpected(after.text, "identifier after ','");
      }
    }
  }

  #requirement(): LabelRequirement {
    try {
      return this.#parseRequirement();
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      throw malformed(`unable to parse requirement: ${error.message}`);
    }
  }

  #parseRequirement(): LabelRequirement {
    let token = this.#nextValue();
    const negated = token.kind === "!";
    if (negated) token = this.#nextValue();
    if (token.kind !== "word") throw unexpected(token.text, "identifier");
    const key = token.text;
    const problems = checkKey(key, undefined);
    if (problems.length > 0) throw malformed(printFieldErrors(problems));
    if (negated) return { key, operator: "!", values: [] };
    const { kind } = this.#peekValue();
    if (kind === "end" || kind === ",") return { key, operator: "exists", values: [] };
    const operator = this.#operator();
    const values = operator === "in" || operator === "notin" ? this.#set() : this.#exactValue();
    const requirement = { key, operator, values: [...values].sort() };
    const errors = checkRequirement(requirement);
    if (errors.length > 0) throw malformed(printFieldErrors(errors));
    return requirement;
  }

  #operator(): LabelOperator {
    const { kind, text } = this.#tokens[this.#position++]!;
    const operator = kind === "operator" ? OPERATORS.get(text) : undefined;
    if (operator === undefined) throw unexpected(text, BINARY_OPERATORS.join(", "));
    return operator;
  }

  /** `(a,b)`. Between commas and parentheses nothing is the empty value: `()`, `(a,)`, `(,a)`. */
  #set(): Set<string> {
    const open = this.#nextValue();
    if (open.kind !== "(") throw malformed(`found '${open.text}' expected: '('`);
    const first = this.#peekValue();
    if (first.kind === ")") {
      this.#position++;
      return new Set([""]);
    }
    if (first.kind !== "word" && first.kind !== ",") {
      throw unexpected(first.text, "',', ')' or identifier");
    }
    const values = new Set<string>();
    for (;;) {
      const { kind, text } = this.#nextValue();
      const { kind: next, text: nextText } = this.#peekValue();
      if (kind === "word") {
        values.add(text);
        if (next !== "," && next !== ")") throw unexpected(nextText, "',' or ')'");
      } else if (kind === ",") {
        if (values.size === 0 || next === "," || next === ")") values.add("");
      } else {
        throw unexpected(text, "',', or identifier");
      }
      if (next === ")") {
        this.#position++;
        return values;
      }
    }
  }

  #exactValue(): Set<string> {
    const { kind } = this.#peekValue();
    if (kind === "end" || kind === ",") return new Set([""]);
    const token = this.#nextValue();
    if (token.kind !== "word") throw unexpected(token.text, "identifier");
    return new Set([token.text]);
  }

  /** Where a key or value may stand, `in` and `notin` are words like any other. */
  #peekValue(): Token {
    const token = this.#tokens[this.#position] ?? END;
    const isWord = token.kind === "operator" && /^[a-z]/.test(token.text);
    return isWord ? { kind: "word", text: token.text } : token;
  }

  #nextValue(): Token {
    const token = this.#peekValue();
    this.#position++;
    return token;
  }
}

function scan(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const [, , symbol, word] = TOKEN.exec(text)!;
    const found = symbol ?? word;
    if (found === undefined) return [...tokens, END];
    const isOperator = OPERATORS.has(found);
    if (symbol === undefined) tokens.push({ kind: isOperator ? "operator" : "word", text: found });
    else tokens.push({ kind: isOperator ? "operator" : (symbol as TokenKind), text: found });
  }
}

function unexpected(found: string, expected: string): SelectorError {
  return malformed(`found '${found}', expected: ${expected}`);
}

function malformed(message: string): SelectorError {
  return new SelectorError("label-selector-malformed", message);
}
