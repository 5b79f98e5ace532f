import {
  BOOL,
  createEnvironment,
  DOUBLE,
  DYN,
  type Evaluation,
  EvaluationError,
  INT,
  kubernetesLibraries,
  listOf,
  mapOf,
  STRING,
  valueOf,
} from "@homeostat/cel";
import type { SeededRandom } from "@homeostat/concurrency";
import type { JsonObject } from "@homeostat/object-model";
import { readFixture } from "../fixture-corpus.ts";
import { decode, encode, type FuzzTarget, pick, requireLaw } from "../fuzz-target.ts";

const COST_LIMIT = 100_000;
const FIXTURES = ["expressions", "broken-expressions", "object-expressions"].map(
  (name) => `cel/src/fixtures/${name}.json`,
);
const LIBRARIES = [
  "strings",
  "regex",
  "lists",
  "optional",
  "quantity",
  "url",
  "ip",
  "sets",
  "string-format",
].map((name) => `cel/src/library/fixtures/${name}.json`);
const TYPES = {
  i: INT,
  d: DOUBLE,
  s: STRING,
  b: BOOL,
  l: listOf(STRING),
  ll: listOf(listOf(INT)),
  m: mapOf(STRING, STRING),
  x: DYN,
};
const JSON_OF = {
  i: 7,
  d: 1.5,
  s: "text",
  b: true,
  l: ["a", "b", "c"],
  ll: [[1, 2], [3]],
  m: Object.fromEntries([
    ["__proto__", "p"],
    ["constructor", "c"],
    ["a", "b"],
  ]),
  x: { a: [1, "two", null, { b: false }] },
} satisfies Record<keyof typeof TYPES, unknown>;

/** A text compiles or says why not; evaluated, it has one value or one error within its cost. */
export async function openCel(): Promise<FuzzTarget> {
  const environment = createEnvironment({ libraries: kubernetesLibraries(), variables: TYPES });
  const bindings = Object.fromEntries(
    Object.entries(TYPES).map(([name, type]) => [
      name,
      valueOf(JSON_OF[name as keyof typeof TYPES], type),
    ]),
  );
  const corpus = [...FIXTURES, ...LIBRARIES].flatMap((file) =>
    answersIn(readFixture(file)).map(({ expr }) => encode(expr)),
  );
  return {
    corpus,
    words: [
      ".all(e, ",
      ".map(e, ",
      ".exists(",
      "?:",
      "has(",
      "self",
      "''",
      "r'",
      "b'",
      "[",
      "{",
      "?.",
      "0x",
      "u",
      "1e9",
      "in",
      "&&",
      "duration('1h')",
      "optional.of(",
      ".matches('",
      "__proto__",
    ],
    generate: (random) => encode(expression(random, 4)),
    run(input) {
      const text = decode(input);
      const compiled = environment.compile(text);
      if (!compiled.ok) {
        requireLaw(compiled.message !== "", "a refusal without a word");
        return;
      }
      const { expression: made } = compiled;
      made.estimateCost(() => undefined);
      const first = outcome(() => made.evaluate(bindings, { costLimit: COST_LIMIT }));
      const second = outcome(() => made.evaluate(bindings, { costLimit: COST_LIMIT }));
      requireLaw(first === second, `evaluated twice: ${first}, then ${second}`);
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Recordings are a list, or have one beside what they are about. */
function answersIn(fixture: JsonObject): readonly { readonly expr: string }[] {
  const answers = Array.isArray(fixture) ? fixture : fixture["answers"];
  return answers as unknown as readonly { readonly expr: string }[];
}

function outcome(evaluate: () => Evaluation): string {
  try {
    const { cost, value } = evaluate();
    requireLaw(
      cost >= 0 && cost <= COST_LIMIT,
      `cost ${cost} is beyond the limit of ${COST_LIMIT}`,
    );
    return `${cost} ${typeof value}`;
  } catch (error) {
    if (error instanceof EvaluationError) return error.message;
    throw error;
  }
}

const ATOMS = [
  "i",
  "d",
  "s",
  "b",
  "l",
  "ll",
  "m",
  "x",
  "1",
  "-2",
  "0.5",
  "'a'",
  "true",
  "null",
  "[]",
  "{}",
  "e",
  "m['a']",
  "x.a",
  "9223372036854775807",
  "timestamp('2026-01-01T00:00:00Z')",
];
const BINARY = ["+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||", "in"];
const CALLS = [
  "size()",
  "matches('(a+)+$')",
  "contains('a')",
  "map(e, e)",
  "all(e, e == e)",
  "exists(e, size(e) > 1)",
  "filter(e, true)",
  "split(',')",
  "join('-')",
  "replace('a','bb')",
  "lowerAscii()",
  "sum()",
  "sort()",
  "indexOf('b')",
  "substring(1)",
  "first()",
  "orValue(1)",
  "startsWith(s)",
];

function expression(random: SeededRandom, depth: number): string {
  if (depth === 0) return pick(random, ATOMS);
  const part = (): string => expression(random, depth - 1);
  switch (random.below(7)) {
    case 0:
      return `(${part()} ${pick(random, BINARY)} ${part()})`;
    case 1:
      return `${part()}.${pick(random, CALLS)}`;
    case 2:
      return `(${part()} ? ${part()} : ${part()})`;
    case 3:
      return `[${part()}, ${part()}]`;
    case 4:
      return `{'k': ${part()}, ${part()}: ${part()}}`;
    case 5:
      return `!${part()}`;
    default:
      return pick(random, ATOMS);
  }
}
