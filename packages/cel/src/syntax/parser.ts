/** One pass over the tokens of a text without syntax errors. */
import { isReservedName } from "../escape-name.ts";
import type { Expression, MapEntryExpression, MessageFieldExpression } from "./expression.ts";
import { ExpressionFactory } from "./expression-factory.ts";
import type { Issue } from "./issue.ts";
import { LiteralRefusal, literalValue } from "./literal.ts";
import { expandMacro, MacroError } from "./macros.ts";
import { DepthError, Nesting } from "./nesting.ts";
import type { Token, TokenKind } from "./token.ts";
import { TokenCursor, UnexpectedToken } from "./token-cursor.ts";

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

/** Throws a DepthError or an UnexpectedToken; what can be read all the same is in the issues. */
export class Parser {
  readonly issues: Issue[] = [];
  readonly #tokens: TokenCursor;
  readonly #factory = new ExpressionFactory();
  /** Of expressions inside each other in the text. */
  #depth = 0;
  readonly #nesting = new Nesting(MAX_DEPTH);

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
      expression = this.#nesting.deeper(
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
      return this.#nesting.asDeep(call, left, right);
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
      left = this.#nesting.deeper(this.#call(token, operator, [left, right]), left, right);
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
    return this.#nesting.asDeep(this.#call(first, operator, [operand]), operand);
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
      return this.#nesting.deeper(call, operand, ...args);
    }
    if (!optional)
      return this.#nesting.deeper(this.#factory.at(dot.at).select(operand, name.text), operand);
    const field = this.#factory.at(name.at).literal(name.text);
    return this.#nesting.deeper(this.#factory.at(dot.at).call("_?._", operand, field), operand);
  }

  #index(operand: Expression): Expression {
    const open = this.#tokens.take("[");
    const optional = this.#tokens.accept("?") !== undefined;
    const index = this.#expression();
    this.#tokens.take("]");
    const call = this.#call(open, optional ? "_[?_]" : "_[_]", [operand, index]);
    return this.#nesting.deeper(call, operand, index);
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
    return this.#nesting.asDeep(call, ...args);
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
    return this.#nesting.asDeep(list, ...elements);
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
    return this.#nesting.asDeep(map, ...entries.flatMap(({ key, value }) => [key, value]));
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
}
