import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createEnvironment } from "../environment.ts";
import { type Answer, comparable, Replay, type Subject } from "../fixtures/replay.ts";
import { kubernetesLibraries } from "./kubernetes-libraries.ts";

const TEXT = { type: "string" };

/** What `self` is in sizes.json; sizes are those that kube-apiserver takes from the schema. */
const SIZED: Subject = {
  schema: {
    type: "object",
    properties: {
      s: { ...TEXT, maxLength: 100 },
      u: TEXT,
      l: { type: "array", maxItems: 10, items: { ...TEXT, maxLength: 5 } },
      n: { type: "array", maxItems: 20, items: { type: "integer" } },
      ub: { type: "array", items: TEXT },
      nl: {
        type: "array",
        maxItems: 4,
        items: { type: "array", maxItems: 3, items: { ...TEXT, maxLength: 2 } },
      },
    },
  },
  sizes: {
    "": 0,
    "/s": 400,
    "/u": 3_145_726,
    "/l": 10,
    "/l/@items": 20,
    "/n": 20,
    "/n/@items": 0,
    "/ub": 1_048_575,
    "/ub/@items": 3_145_726,
    "/nl": 4,
    "/nl/@items": 3,
    "/nl/@items/@items": 8,
  },
  self: {
    s: "hello",
    u: "abc",
    l: ["a", "b"],
    n: [3, 1, 2],
    ub: ["x", "yy"],
    nl: [["a"], ["b"]],
  },
  oldSelf: {},
};

/** What `self` is in typed.json: objects, maps, sets, lists by key, formats. */
const TYPED: Subject = {
  schema: {
    type: "object",
    properties: {
      o: {
        type: "object",
        properties: {
          a: TEXT,
          b: { type: "integer" },
          t: { ...TEXT, format: "date-time" },
          d: { ...TEXT, format: "duration" },
          y: { ...TEXT, format: "byte" },
          f: { type: "number" },
        },
      },
      m: { type: "object", additionalProperties: { type: "integer" } },
      lm: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: TEXT, v: { type: "integer" } } },
      },
      ls: { type: "array", "x-kubernetes-list-type": "set", items: TEXT },
      x: { "x-kubernetes-int-or-string": true },
      any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  },
  sizes: {
    "/o/a": 3_145_726,
    "/lm": 1_048_575,
    "/lm/@items": 0,
    "/ls": 1_048_575,
    "/ls/@items": 3_145_726,
  },
  self: {
    o: { a: "x", b: 3, t: "2024-01-01T00:00:00Z", d: "90s", y: "aGk=", f: 1.5 },
    m: { z: 1, a: 2 },
    lm: [
      { k: "a", v: 1 },
      { k: "b", v: 2 },
    ],
    ls: ["b", "a"],
    x: 5,
    any: { q: [1, 2.5, "s", null, true, { n: {} }] },
  },
  oldSelf: {},
};

test.each([
  "cidr",
  "ext-lists",
  "ip",
  "lists",
  "named-format",
  "optional",
  "quantity",
  "regex",
  "semver",
  "sets",
  "string-format",
  "strings",
  "url",
])("functions of %s answer and cost what kube-apiserver's do", (name) => {
  const answers = recorded(name);
  expect(askAll(new Replay(), answers)).toEqual(expected(answers));
});

test("estimates from sizes in a schema are kube-apiserver's", () => {
  const answers = recorded("sizes");
  expect(askAll(new Replay(SIZED), answers)).toEqual(expected(answers));
});

test("functions on typed values answer what kube-apiserver's do", () => {
  const answers = recorded("typed");
  expect(askAll(new Replay(TYPED), answers)).toEqual(expected(answers));
});

test.each(["cidr", "ip", "quantity", "semver", "url"])(
  "values of %s print as kube-apiserver's do",
  (name) => {
    const environment = createEnvironment({ libraries: kubernetesLibraries() });
    const printed = recorded(name).filter(isPrinted);
    const ours = printed.map(({ expr }) => {
      const compiled = environment.compile(expr);
      return compiled.ok ? print(compiled.expression.evaluate({}).value) : compiled.message;
    });
    expect(printed.length).toBeGreaterThan(0);
    expect(ours).toEqual(printed.map(({ value }) => value.text));
  },
);

function recorded(name: string): readonly Answer[] {
  const file = new URL(`./fixtures/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as readonly Answer[];
}

function askAll(replay: Replay, answers: readonly Answer[]): unknown {
  return answers.map(({ expr }) => withoutTexts(comparable(replay.ask(expr))));
}

function expected(answers: readonly Answer[]): unknown {
  return answers.map((answer) => withoutTexts(comparable(answer)));
}

/** What values of libraries print is compared by itself. */
function withoutTexts(answer: Answer): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) =>
    key === "text" ? undefined : value,
  );
}

function print(value: unknown): string {
  return (value as { toString: () => string }).toString();
}

function isPrinted(answer: Answer): answer is Answer & { value: { text: string } } {
  const { value } = answer;
  return typeof value === "object" && value !== null && "text" in value;
}
