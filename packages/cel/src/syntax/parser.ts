/**
 * Text to tree. `parse` never throws: what is wrong is in the issues, in the words of the parser that
 * kube-apiserver has. A text without syntax errors is read here in one pass; where the pass meets a
 * token it cannot use, `syntax-errors.ts` reads the text again to find the words.
 */
import { isReservedName } from "../escape-name.ts";
import type { Expression, MapEntryExpression, MessageFieldExpression } from "./expression.ts";
import { ExpressionFactory } from "./expression-factory.ts";
import type { Issue } from "./issue.ts";
import { tokenize } from "./lexer.ts";
import { LiteralRefusal, literalValue } from "./literal.ts";
import { expandMacro, MacroError } from "./macros.ts";
import { findSyntaxErrors } from "./syntax-errors.ts";
import type { Token, TokenKind } from "./token.ts";
import { TokenCursor, UnexpectedToken } from "./token-cursor.ts";

const MAX_CODE_POINTS = 100_000;
const MAX_DEPTH = 250;
const RELATIONS: ReadonlyMap<TokenKind, string> = new Map([
  ["<", "_<_"],
  ["<=", "_<=_"],
  [">=", "_>=_"],
  [">", "_>_"],
  ["==", "_==_"],
  ["!=", "_!=_"],
  ["in", "@in"],
]);
const SUMS: ReadonlyMap<TokenKind, string> = new Map([
  ["+", "_+_"],
  ["-", "_-_"],
]);
const PRODUCTS: ReadonlyMap<TokenKind, string> = new Map([
  ["*", "_*_"],
  ["/", "_/_"],
  ["%", "_%_"],
]);

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

class DepthError extends Error {
  override readonly name = "DepthError";
  readonly code = "too-deep";
}

class Parser {
  readonly issues: Issue[] = [];
  readonly #tokens: TokenCursor;
  readonly #factory = new ExpressionFactory();
  /** Of expressions inside each other in the text. */
  #depth = 0;
  /** Of the node made last: how deep its selections, calls and operators nest. */
  readonly #heights = new Map<number, number>();

  constructor(tokens: readonly Token[]) {
    this.#tokens = new TokenCursor(tokens);
  }

  parse(): Expression {
    const expression = this.#expression();
    this.#tokens.take("<EOF>");
    return expression;
  }

  #expression(): Expression {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      throw new DepthError(`expression recursion limit exceeded: ${MAX_DEPTH}`);
    }
    const condition = this.#or();
    const mark = this.#tokens.accept("?");
    let expression = condition;
    if (mark !== undefined) {
      const yes = this.#or();
      this.#tokens.take(":");
      const no = this.#expression();
      expression = this.#higher(
        this.#call(mark, "_?_:_", [condition, yes, no]),
        condition,
        yes,
        no,
      );
    }
    this.#depth -= 1;
    return expression;
  }

  #or(): Expression {
    return this.#logic("||", "_||_", () => this.#logic("&&", "_&&_", () => this.#relation()));
  }

  /** Chains become balanced trees, so that long ones do not nest deep. */
  #logic(mark: "||" | "&&", operator: string, operand: () => Expression): Expression {
    const terms = [operand()];
    const marks: Token[] = [];
    for (
      let token = this.#tokens.accept(mark);
      token !== undefined;
      token = this.#tokens.accept(mark)
    ) {
      marks.push(token);
      terms.push(operand());
    }
    const balance = (from: number, to: number): Expression => {
      const middle = Math.floor((from + to + 1) / 2);
      const left = middle === from ? terms[middle]! : balance(from, middle - 1);
      const right = middle === to ? terms[middle + 1]! : balance(middle + 1, to);
      const call = this.#call(marks[middle]!, operator, [left, right]);
      this.#heights.set(call.id, Math.max(this.#height(left), this.#height(right)));
      return call;
    };
    return terms.length === 1 ? terms[0]! : balance(0, marks.length - 1);
  }

  #relation(): Expression {
    return this.#chain(RELATIONS, () => this.#sum());
  }

  #sum(): Expression {
    return this.#chain(SUMS, () => this.#chain(PRODUCTS, () => this.#unary()));
  }

  #chain(operators: ReadonlyMap<TokenKind, string>, operand: () => Expression): Expression {
    let left = operand();
    while (true) {
      const operator = operators.get(this.#tokens.peek().kind);
      if (operator === undefined) return left;
      const token = this.#tokens.advance();
      const right = operand();
      left = this.#higher(this.#call(token, operator, [left, right]), left, right);
    }
  }

  #unary(): Expression {
    const first = this.#tokens.peek();
    if (first.kind === "!") return this.#prefixed("!", "!_");
    if (first.kind === "-" && !this.#isSignedNumber()) return this.#prefixed("-", "-_");
    return this.#member();
  }

  #prefixed(mark: "!" | "-", operator: string): Expression {
    const first = this.#tokens.peek();
    let count = 0;
    while (this.#tokens.peek().kind === mark) {
      this.#tokens.advance();
      count += 1;
    }
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    const call = this.#call(first, operator, [operand]);
    this.#heights.set(call.id, this.#height(operand));
    return call;
  }

  #isSignedNumber(): boolean {
    const { kind } = this.#tokens.peek(1);
    return kind === "NUM_INT" || kind === "NUM_FLOAT";
  }

  #member(): Expression {
    let operand = this.#primary();
    while (true) {
      const token = this.#tokens.peek();
      let outer: Expression;
      if (token.kind === ".") outer = this.#selection(operand);
      else if (token.kind === "[") outer = this.#index(operand);
      else return operand;
      operand = outer;
    }
  }

  #selection(operand: Expression): Expression {
    const dot = this.#tokens.take(".");
    const optional = this.#tokens.accept("?") !== undefined;
    const name = this.#tokens.peek();
    if (name.kind === "ESC_IDENTIFIER") {
      this.#tokens.advance();
      this.#report(name.at, "unsupported syntax: '`'");
      return this.#broken(name.at);
    }
    this.#tokens.take("IDENTIFIER");
    if (!optional && this.#tokens.peek().kind === "(") {
      const { open, args } = this.#arguments();
      const call = this.#callOrMacro({ open, name: name.text, target: operand, args });
      return this.#higher(call, operand, ...args);
    }
    if (!optional)
      return this.#higher(this.#factory.at(dot.at).select(operand, name.text), operand);
    const field = this.#factory.at(name.at).literal(name.text);
    return this.#higher(this.#factory.at(dot.at).call("_?._", operand, field), operand);
  }

  #index(operand: Expression): Expression {
    const open = this.#tokens.take("[");
    const optional = this.#tokens.accept("?") !== undefined;
    const index = this.#expression();
    this.#tokens.take("]");
    const call = this.#call(open, optional ? "_[?_]" : "_[_]", [operand, index]);
    return this.#higher(call, operand, index);
  }

  #primary(): Expression {
    const token = this.#tokens.peek();
    switch (token.kind) {
      case ".":
      case "IDENTIFIER":
        return this.#isMessage() ? this.#message() : this.#nameOrCall();
      case "(": {
        this.#tokens.advance();
        const expression = this.#expression();
        this.#tokens.take(")");
        return expression;
      }
      case "[":
        return this.#list();
      case "{":
        return this.#map();
      default:
        return this.#literal();
    }
  }

  #nameOrCall(): Expression {
    const start = this.#tokens.peek();
    const dot = this.#tokens.accept(".") === undefined ? "" : ".";
    const name = this.#tokens.take("IDENTIFIER");
    const reserved = isReservedName(name.text);
    if (reserved) this.#report(start.at, `reserved identifier: ${name.text}`);
    if (this.#tokens.peek().kind !== "(") {
      return reserved ? this.#broken(start.at) : this.#factory.at(name.at).name(dot + name.text);
    }
    const issues = this.issues.length;
    const { open, args } = this.#arguments();
    if (reserved) {
      this.issues.length = issues;
      return this.#broken(start.at);
    }
    const call = this.#callOrMacro({ open, name: dot + name.text, target: undefined, args });
    this.#heights.set(call.id, Math.max(0, ...args.map((arg) => this.#height(arg))));
    return call;
  }

  #arguments(): { readonly open: Token; readonly args: readonly Expression[] } {
    const open = this.#tokens.take("(");
    const args: Expression[] = [];
    if (this.#tokens.accept(")") !== undefined) return { open, args };
    do args.push(this.#expression());
    while (this.#tokens.accept(",") !== undefined);
    this.#tokens.take(")");
    return { open, args };
  }

  #list(): Expression {
    const open = this.#tokens.take("[");
    const elements: Expression[] = [];
    const optional = new Set<number>();
    this.#entries("]", () => {
      if (this.#tokens.accept("?") !== undefined) optional.add(elements.length);
      elements.push(this.#expression());
    });
    const list: Expression = {
      kind: "list",
      id: this.#factory.id(),
      at: open.at,
      elements,
      optional,
    };
    this.#heights.set(list.id, this.#highest(elements));
    return list;
  }

  #map(): Expression {
    const open = this.#tokens.take("{");
    const entries: MapEntryExpression[] = [];
    this.#entries("}", () => {
      const optional = this.#tokens.accept("?") !== undefined;
      const key = this.#expression();
      const colon = this.#tokens.take(":");
      const value = this.#expression();
      entries.push({ id: this.#factory.id(), at: colon.at, key, value, optional });
    });
    const map: Expression = { kind: "map", id: this.#factory.id(), at: open.at, entries };
    this.#heights.set(map.id, this.#highest(entries.flatMap(({ key, value }) => [key, value])));
    return map;
  }

  /** Entries with commas between, perhaps one behind the last, and the closing bracket. */
  #entries(close: "]" | "}", entry: () => void): void {
    if (this.#tokens.peek().kind !== close && this.#tokens.peek().kind !== ",") {
      entry();
      while (this.#tokens.peek().kind === "," && this.#tokens.peek(1).kind !== close) {
        this.#tokens.advance();
        entry();
      }
    }
    this.#tokens.accept(",");
    this.#tokens.take(close);
  }

  /** A name, dots and names, then `{`. */
  #isMessage(): boolean {
    let ahead = this.#tokens.peek().kind === "." ? 1 : 0;
    if (this.#tokens.peek(ahead).kind !== "IDENTIFIER") return false;
    while (
      this.#tokens.peek(ahead + 1).kind === "." &&
      this.#tokens.peek(ahead + 2).kind === "IDENTIFIER"
    )
      ahead += 2;
    return this.#tokens.peek(ahead + 1).kind === "{";
  }

  #message(): Expression {
    let typeName = "";
    while (this.#tokens.peek().kind !== "{") typeName += this.#tokens.advance().text;
    const open = this.#tokens.take("{");
    const fields: MessageFieldExpression[] = [];
    this.#entries("}", () => {
      const optional = this.#tokens.accept("?") !== undefined;
      const name = this.#tokens.accept("ESC_IDENTIFIER") ?? this.#tokens.take("IDENTIFIER");
      if (name.kind === "ESC_IDENTIFIER") this.#report(name.at, "unsupported syntax: '`'");
      const colon = this.#tokens.take(":");
      const value = this.#expression();
      fields.push({ id: this.#factory.id(), at: colon.at, name: name.text, value, optional });
    });
    return { kind: "message", id: this.#factory.id(), at: open.at, typeName, fields };
  }

  #literal(): Expression {
    const sign = this.#tokens.accept("-");
    const token = this.#tokens.advance();
    const at = sign?.at ?? token.at;
    if (sign !== undefined && token.kind !== "NUM_INT" && token.kind !== "NUM_FLOAT") {
      throw new UnexpectedToken();
    }
    const value = literalValue(token, sign === undefined ? "" : "-");
    if (value === undefined) throw new UnexpectedToken();
    if (!(value instanceof LiteralRefusal)) return this.#factory.at(at).literal(value);
    this.#report(at, value.message);
    return this.#broken(at);
  }

  #callOrMacro(call: {
    readonly open: Token;
    readonly name: string;
    readonly target: Expression | undefined;
    readonly args: readonly Expression[];
  }): Expression {
    const { open, name, target, args } = call;
    const make = this.#factory.at(open.at);
    try {
      const expanded = expandMacro({ name, target, args, make });
      if (expanded !== undefined) return expanded;
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      this.#report(error.argument.at, error.message);
      return this.#broken(error.argument.at);
    }
    return target === undefined ? make.call(name, ...args) : make.memberCall(name, target, ...args);
  }

  #call(token: Token, operator: string, args: readonly Expression[]): Expression {
    return this.#factory.at(token.at).call(operator, ...args);
  }

  #broken(at: number): Expression {
    return { kind: "broken", id: this.#factory.id(), at };
  }

  #report(at: number, message: string): void {
    this.issues.push({ at, message });
  }

  /** Records that `outer` nests its parts one level deeper. */
  #higher(outer: Expression, ...parts: readonly Expression[]): Expression {
    const height = this.#highest(parts) + 1;
    if (height > MAX_DEPTH) throw new DepthError("max recursion depth exceeded");
    this.#heights.set(outer.id, height);
    return outer;
  }

  #highest(parts: readonly Expression[]): number {
    let highest = 0;
    for (const part of parts) highest = Math.max(highest, this.#height(part));
    return highest;
  }

  #height({ id }: Expression): number {
    return this.#heights.get(id) ?? 0;
  }
}
