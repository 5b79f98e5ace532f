import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isUint } from "../values/uint-value.ts";
import type { Value } from "../values/value.ts";
import type { CallExpression, ComprehensionExpression, Expression } from "./expression.ts";
import { printIssues } from "./issue.ts";
import { parse } from "./parse.ts";

function messageOf(text: string): string {
  return printIssues(text, parse(text).issues);
}

/** Fully bracketed, so that what is read again has the same form whatever the operators bind like. */
function print(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return printLiteral(expression.value);
    case "name":
      return expression.name;
    case "select":
      return expression.presence
        ? `has(${print(expression.operand)}.${expression.field})`
        : `${print(expression.operand)}.${expression.field}`;
    case "call": {
      const args = expression.args.map(print);
      const { function: name, target } = expression;
      if (target !== undefined) return `${print(target)}.${name}(${args.join(", ")})`;
      if (name === "_?_:_") return `(${args[0]} ? ${args[1]} : ${args[2]})`;
      if (name === "_[_]") return `${args[0]}[${args[1]}]`;
      if (name === "_[?_]") return `${args[0]}[?${args[1]}]`;
      if (name === "_?._") return `${args[0]}.?${JSON.parse(args[1]!)}`;
      if (name === "@in") return `(${args[0]} in ${args[1]})`;
      const binary = /^_(.+)_$/.exec(name)?.[1];
      if (binary !== undefined) return `(${args[0]} ${binary} ${args[1]})`;
      const prefix = /^([!-])_$/.exec(name)?.[1];
      return prefix === undefined ? `${name}(${args.join(", ")})` : `(${prefix}(${args[0]}))`;
    }
    case "list":
      return `[${expression.elements.map((item, index) => (expression.optional.has(index) ? "?" : "") + print(item)).join(", ")}]`;
    case "map":
      return `{${expression.entries.map(({ key, value, optional }) => `${optional ? "?" : ""}${print(key)}: ${print(value)}`).join(", ")}}`;
    default:
      throw new Error(`not printed here: ${expression.kind}`);
  }
}

function printLiteral(value: Value): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return Number.isInteger(value) ? `${value}.0` : `${value}`;
  if (value instanceof Uint8Array) {
    return `b"${Array.from(value, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`;
  }
  if (value === null) return "null";
  if (typeof value !== "object") return value.toString();
  return isUint(value) ? `${value.value}u` : "";
}

/** The tree without what tells its nodes apart. */
function shape(value: unknown): unknown {
  if (value instanceof Set) return [...value];
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const parts = Object.entries(value).filter(([key]) => key !== "id" && key !== "at");
  return Object.fromEntries(parts.map(([key, part]) => [key, shape(part)]));
}

const { text: anyText } = fc.letrec<{ text: string }>((tie) => {
  const part = tie("text");
  const list = fc.array(part, { maxLength: 3 });
  return {
    text: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.constantFrom(
        "1",
        "2u",
        "1.5",
        "-3",
        "x",
        "self",
        '"té"',
        "'q\\n'",
        "b'\\x00a'",
        "r'\\d'",
        "true",
        "null",
      ),
      fc
        .tuple(
          part,
          fc.constantFrom("+", "-", "*", "/", "%", "<", ">=", "==", "!=", "in", "&&", "||"),
          part,
        )
        .map((parts) => `(${parts.join(" ")})`),
      fc
        .tuple(fc.constantFrom("!", "-", "--", "!!"), part)
        .map(([mark, operand]) => `${mark}(${operand})`),
      fc.tuple(part, part, part).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc
        .tuple(part, fc.constantFrom("a", "namespace", "size"))
        .map(([operand, name]) => `(${operand}).${name}`),
      part.map((operand) => `has((${operand}).f)`),
      part.map((operand) => `(${operand}).?f`),
      fc.tuple(part, fc.constantFrom("", "?"), part).map(([a, mark, b]) => `(${a})[${mark}${b}]`),
      list.map((args) => `f(${args.join(", ")})`),
      fc.tuple(part, list).map(([target, args]) => `(${target}).g(${args.join(", ")})`),
      list.map((items) => `[${items.join(", ")}]`),
      fc
        .array(fc.tuple(part, part), { maxLength: 2 })
        .map((entries) => `{${entries.map(([key, value]) => `${key}: ${value}`).join(", ")}}`),
    ),
  };
});

test("what is printed from a tree is read as that tree again", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const first = parse(text);
      expect(first.issues).toEqual([]);
      const second = parse(print(first.expression));
      expect(second.issues).toEqual([]);
      expect(shape(second.expression)).toEqual(shape(first.expression));
    }),
    { numRuns: 300 },
  );
});

test("any text is read or refused, and refused with a place in the text", () => {
  const tokens = fc.constantFrom(
    ..."+ - * ! && || < == in ( ) [ ] { } . , ? : 1 2u 1.5 's' b'x' true null self x if has `a` ` ' # \n".split(
      " ",
    ),
  );
  fc.assert(
    fc.property(fc.array(tokens, { maxLength: 14 }), (parts) => {
      const text = parts.join(" ");
      for (const { at } of parse(text).issues) expect(at).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 500 },
  );
});

test("a long text is refused in time that grows with its length", () => {
  const issues = parse(`[${"1,".repeat(9000)}`).issues;
  expect(issues).toEqual([{ at: 18_001, message: "Syntax error: missing ']' at '<EOF>'" }]);
});

test("an expression has at most 100,000 code points", () => {
  expect(parse(`1${" ".repeat(99_999)}`).issues).toEqual([]);
  expect(messageOf(`"${"😀".repeat(100_000)}"`)).toBe(
    "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100002, limit 100000",
  );
});

test("expressions nest 250 deep", () => {
  expect(parse(`${"(".repeat(249)}1${")".repeat(249)}`).issues).toEqual([]);
  expect(messageOf(`${"(".repeat(250)}1${")".repeat(250)}`)).toBe(
    "ERROR: <input>:-1:0: expression recursion limit exceeded: 250",
  );
});

test("operators, selections and calls are chained 250 times", () => {
  expect(parse("1+".repeat(250) + "1").issues).toEqual([]);
  for (const text of ["1+".repeat(251) + "1", `a${".b".repeat(251)}`, `a${".f()".repeat(251)}`]) {
    expect(messageOf(text)).toBe("ERROR: <input>:-1:0: max recursion depth exceeded");
  }
});

test("chains of logical operators have no end", () => {
  expect(parse(`${"true && ".repeat(2000)}true`).issues).toEqual([]);
});

test("what a macro repeats is one node, however many macros are chained", () => {
  const { expression, issues } = parse(`a${".optMap(x, x)".repeat(240)}`);
  expect(issues).toEqual([]);
  const [condition, wrapped] = (expression as CallExpression).args as CallExpression[];
  const bound = wrapped!.args[0] as ComprehensionExpression;
  expect((bound.init as CallExpression).target).toBe(condition!.target);
});
