import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createEnvironment, type Environment } from "./environment.ts";
import { EvaluationError } from "./evaluation-error.ts";
import type { CelExpression } from "./expression.ts";
import { BOOL, INT, listOf, STRING } from "./expression-types/type.ts";
import { kubernetesLibraries } from "./library/kubernetes-libraries.ts";
import { valueOf } from "./values/json-value.ts";
import { printValue } from "./values/print-value.ts";
import type { Value } from "./values/value.ts";

const NUMBERS = listOf(INT);
const environment = createEnvironment({
  libraries: kubernetesLibraries(),
  variables: { numbers: NUMBERS, name: STRING },
});
const numbers = valueOf(
  Array.from({ length: 200 }, (_, index) => index),
  NUMBERS,
);

function compiled(text: string, where: Environment = environment): CelExpression {
  const compilation = where.compile(text);
  if (!compilation.ok) throw new Error(compilation.message);
  return compilation.expression;
}

function failureOf(evaluate: () => unknown): EvaluationError {
  try {
    evaluate();
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
  throw new Error("nothing failed");
}

test("an evaluation gives a value and what it cost", () => {
  expect(compiled("numbers.size() + 1").evaluate({ numbers })).toMatchObject({
    value: 201n,
    cost: 3,
  });
});

test("an expression knows its type and the variables it mentions", () => {
  const expression = compiled("name == 'x'");
  expect(expression.outputType).toEqual(BOOL);
  expect([expression.uses("name"), expression.uses("numbers")]).toEqual([true, false]);
});

test("a variable without a value fails where it is read, and only there", () => {
  const expression = compiled("name == 'x' || true");
  expect(expression.evaluate({}).value).toBe(true);
  expect(failureOf(() => compiled("name").evaluate({})).message).toBe("no such attribute(s): name");
});

test("variables are own properties of the bindings", () => {
  const where = environment.with({ toString: STRING });
  expect(failureOf(() => compiled("toString", where).evaluate({})).message).toBe(
    "no such attribute(s): toString",
  );
});

test("an evaluation that costs more than the limit is stopped there", () => {
  const error = failureOf(() =>
    compiled("numbers.all(x, x >= 0)").evaluate({ numbers }, { costLimit: 50 }),
  );
  expect([error.code, error.message]).toEqual([
    "CostLimitExceeded",
    "operation cancelled: actual cost limit exceeded",
  ]);
  expect(error.cost).toBe(51);
});

test("an error tells what was spent until it happened", () => {
  const error = failureOf(() => compiled("numbers[500] + 1").evaluate({ numbers }));
  expect([error.code, error.message, error.cost]).toEqual([
    "EvaluationFailed",
    "index out of bounds: 500",
    3,
  ]);
});

test("a part of literals that always fails makes the expression unusable", () => {
  expect(environment.compile("int('x') == 1")).toMatchObject({
    ok: false,
    stage: "instantiation",
    message: "type conversion error from 'string' to 'int'",
  });
});

test("an expression is evaluated again and again without remembering", () => {
  const expression = compiled("numbers.map(x, x * 2).filter(x, x > 5)");
  const first = expression.evaluate({ numbers: valueOf([1, 2, 3], NUMBERS) });
  const second = expression.evaluate({ numbers: valueOf([4], NUMBERS) });
  expect([printValue(first.value), printValue(second.value)]).toEqual(["[6]", "[8]"]);
});

test("a long evaluation pauses as often as asked and comes to the same", async () => {
  const expression = compiled("numbers.all(x, numbers.exists(y, x == y))");
  const { value, cost } = expression.evaluate({ numbers });
  let breaths = 0;
  const breathe = (): Promise<void> => {
    breaths += 1;
    return Promise.resolve();
  };
  const slow = await expression.evaluateAsync({ numbers }, { breathe, breatheEvery: 1000 });
  expect(slow).toMatchObject({ value, cost });
  expect(breaths).toBeGreaterThan(cost / 2000);
  expect(breaths).toBeLessThanOrEqual(cost / 1000);
});

const LONG: Record<string, Value> = {
  text: "ab,".repeat(40_000),
  words: valueOf(
    Array.from({ length: 20_000 }, (_, index) => `w${(index * 7919) % 9973}`),
    listOf(STRING),
  ),
  pattern: "[ab,]*a[ab,]{100}c$",
};
const longTexts = environment.with({ text: STRING, words: listOf(STRING), pattern: STRING });

test.each([
  "text.matches('[ab,]*a[ab,]{100}c$')",
  "text.matches(pattern)",
  "matches(text, pattern)",
  "text.find('(b,|a)+c?$')",
  "text.findAll('(a|b,)').size()",
  "text.findAll('b').size()",
  "text.split(',').size()",
  "text.replace('a', 'cc')",
  "text.replace('', '-')",
  "text.upperAscii()",
  "text.indexOf('ab,ab,ab,ab,a,')",
  "text.lastIndexOf('ab,ab,ab,ab,a,')",
  "text.contains('ab,ab,ab,ab,a,')",
  "strings.quote(text)",
  "'%s'.format([words])",
  "words.join('-')",
  "words.indexOf('none')",
  "words.max()",
  "words.reverse()[0]",
  "dyn(words).sort()[17]",
  "[words, words].flatten().size()",
  "sets.contains(words, ['none'])",
  "'none' in words",
  "(words + words)[20001] + (words + words)[3]",
  "(words + words).size()",
  "text.split('').max()",
])("%s stops for others in between and comes to the same", async (expressionText) => {
  const expression = compiled(expressionText, longTexts);
  const atOnce = expression.evaluate(LONG);
  let breaths = 0;
  const breathe = (): Promise<void> => {
    breaths++;
    return Promise.resolve();
  };
  const slow = await expression.evaluateAsync(LONG, { breathe });
  expect([printValue(slow.value), slow.cost]).toEqual([printValue(atOnce.value), atOnce.cost]);
  if (expressionText.includes("words + words")) return;
  expect(breaths).toBeGreaterThan(0);
  expect(failureOf(() => expression.evaluate(LONG, { isQuick: true })).code).toBe("TakesLong");
});

test("what the budget does not allow is not begun", () => {
  const expression = compiled("words.distinct().size()", longTexts);
  const { code, cost } = failureOf(() => expression.evaluate(LONG, { costLimit: 1_000_000 }));
  expect([code, cost]).toEqual(["CostLimitExceeded", 840_000_012]);
});

test("many short searches that cost next to nothing count as work all the same", () => {
  const expression = compiled("words.all(w, matches(w, '(w|[0-9])+[a-z]{0,50}$'))", longTexts);
  expect(failureOf(() => expression.evaluate(LONG, { isQuick: true })).code).toBe("TakesLong");
});

const operand = fc.constantFrom(
  "1",
  "0",
  "numbers",
  "name",
  "'a'",
  "[1, 2]",
  "{'a': 1}",
  "dyn(name)",
  "numbers[300]",
  "optional.of(1)",
  "null",
  "x",
  "duration('1s')",
);
const { text: anyText } = fc.letrec<{ text: string }>((tie) => {
  const part = tie("text");
  return {
    text: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      operand,
      fc
        .tuple(part, fc.constantFrom("+", "/", "<", "==", "in", "&&", "||"), part)
        .map((parts) => `(${parts.join(" ")})`),
      fc.tuple(part, part, part).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc
        .tuple(part, fc.constantFrom("all", "exists", "exists_one", "map", "filter"), part)
        .map(([range, macro, body]) => `dyn(${range}).${macro}(x, dyn(${body}))`),
      fc
        .tuple(part, fc.constantFrom("", "?"), part)
        .map(([a, mark, b]) => `dyn(${a})[${mark}dyn(${b})]`),
      fc.tuple(part, part).map(([a, b]) => `dyn(optional.of(${a})).orValue(${b})`),
      part.map((a) => `has(dyn(${a}).a)`),
      part.map((a) => `size(dyn(${a}))`),
      fc
        .array(part, { maxLength: 3 })
        .map((parts) => `[${parts.map((item) => `dyn(${item})`).join(", ")}]`),
    ),
  };
});

test("null is a value that an optional can have", () => {
  const { value } = compiled("optional.of(dyn(null)).orValue(1 / 0) == null").evaluate({});
  expect(value).toBe(true);
});

test("chained optional maps cost as if their target were written twice, and pause", async () => {
  const chain = (length: number): CelExpression =>
    compiled(`optional.of(name)${".optMap(x, x + 'a')".repeat(length)}.value()`);
  const { value, cost } = chain(3).evaluate({ name: "a" });
  expect(value).toBe("aaaa");
  const more = chain(4).evaluate({ name: "a" }).cost;
  expect(more).toBeGreaterThan(2 * cost);
  let pauses = 0;
  const breathe = (): Promise<void> => {
    pauses += 1;
    return Promise.resolve();
  };
  const evaluation = chain(30).evaluateAsync({ name: "a" }, { costLimit: 100_000, breathe });
  await expect(evaluation).rejects.toThrow("actual cost limit exceeded");
  expect(pauses).toBeGreaterThan(5);
});

test("what is wrong below chained optional maps is told once for each place it stands in", () => {
  const compilation = environment.compile(`optional.of(nobody)${".optMap(x, x)".repeat(3)}`);
  expect(compilation.ok ? [] : compilation.issues).toHaveLength(8);
  const many = environment.compile(`optional.of(nobody)${".optMap(x, x)".repeat(200)}`);
  expect(many.ok).toBe(false);
});

test("any expression is refused, gives a value or fails, and in steps as at once", async () => {
  const small = { numbers: valueOf([3, 1, 2], NUMBERS), name: "n" };
  const breathe = (): Promise<void> => Promise.resolve();
  const outcome = async (run: () => unknown): Promise<unknown> => {
    try {
      const { value, cost } = (await run()) as { value: never; cost: number };
      return [printValue(value), cost];
    } catch (error) {
      if (error instanceof EvaluationError) return [error.message, error.code, error.cost];
      throw error;
    }
  };
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const compilation = environment.compile(text);
      if (!compilation.ok) return;
      const { expression } = compilation;
      const costLimit = 20_000;
      const atOnce = await outcome(() => expression.evaluate(small, { costLimit }));
      const inSteps = await outcome(() =>
        expression.evaluateAsync(small, { costLimit, breathe, breatheEvery: 5 }),
      );
      expect(inSteps).toEqual(atOnce);
    }),
    { numRuns: 400 },
  );
});

test("an estimate holds what evaluations cost", () => {
  const sizeOf = (path: readonly string[]): { min: number; max: number } | undefined =>
    path[0] === "numbers" ? { min: 0, max: path.length === 1 ? 200 : 0 } : undefined;
  for (const text of [
    "numbers.all(x, x > 0 || x < 5)",
    "numbers.map(x, x * 2).size() > numbers[0]",
    "numbers.exists(x, numbers.exists(y, x + y == 7))",
    "5 in numbers ? numbers.filter(x, x > 3) : numbers",
  ]) {
    const expression = compiled(text);
    const { min, max } = expression.estimateCost(sizeOf);
    const { cost } = expression.evaluate({ numbers });
    expect(cost).toBeLessThanOrEqual(max);
    expect(cost).toBeGreaterThanOrEqual(Math.min(min, cost));
  }
});
