/** Patterns and expressions from users run in linear time or not at all, and stop when they have cost too much. */
import { beforeAll, expect, test } from "vitest";
import { defineKinds, definitionOf } from "./attack-objects.ts";
import { attackedServer, type HostileAnswer } from "./server-under-attack.ts";

const server = attackedServer();
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const GROUP = "cost.example.com";

/** Each takes exponential or high polynomial time in an engine that backtracks. */
const EVIL = [
  "^(a+)+$",
  "^(a|aa)+$",
  "^(a|a?)+$",
  "^(.*a){20}$",
  "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@)$",
  "(x+x+)+y",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(a*)*b",
];

beforeAll(async () => {
  const properties = Object.fromEntries(
    EVIL.map((pattern, at) => [`p${at}`, { type: "string", pattern }]),
  );
  const rules = [
    "!self.text.matches('^(a+)+$') || true",
    "self.list.all(x, self.list.all(y, x != '' || y != ''))",
  ];
  const spec = {
    type: "object",
    properties: {
      ...properties,
      own: { type: "string" },
      text: { type: "string", maxLength: 100_000 },
      list: { type: "array", maxItems: 100, items: { type: "string", maxLength: 10 } },
    },
    "x-kubernetes-validations": rules.map((each) => ({
      rule: `!has(self.text) || !has(self.list) || (${each})`,
    })),
  };
  await defineKinds(server(), GROUP, [
    { plural: "costs", kind: "Cost", scope: "Namespaced", spec },
  ]);
});

function post(spec: object): Promise<HostileAnswer> {
  return server().send({
    method: "POST",
    path: `/apis/${GROUP}/v1/namespaces/default/costs`,
    body: {
      apiVersion: `${GROUP}/v1`,
      kind: "Cost",
      metadata: { generateName: "c-" },
      spec,
    },
  });
}

test.each(EVIL.map((pattern, at) => [pattern, at] as const))(
  "the pattern %s is tried on 50,000 characters in no time",
  async (_, at) => {
    await server().during(async () => {
      for (const text of [`${"a".repeat(50_000)}!`, "x".repeat(50_000), "a-".repeat(25_000)]) {
        expect([201, 422]).toContain((await post({ [`p${at}`]: text })).status);
      }
    });
  },
);

test("expressions over long texts and nested lists stay within their budget", async () => {
  await server().during(async () => {
    const list = Array.from({ length: 100 }, (_, at) => `x${at}`);
    const { status } = await post({ text: `${"a".repeat(99_999)}!`, list });
    expect([201, 422]).toContain(status);
  });
});

let definitions = 0;
function define(spec: object): Promise<HostileAnswer> {
  const plural = `tries${definitions++}`;
  const kind = plural.replace("t", "T");
  return server().send({
    method: "POST",
    path: DEFINITIONS,
    body: definitionOf(GROUP, { plural, kind, scope: "Namespaced", spec }),
  });
}

const text = { type: "string" };
const list = { type: "array", items: text };
const rule = (expression: string, more: object = {}): object => ({
  type: "object",
  properties: { list, lists: { type: "array", items: list }, text, ...more },
  "x-kubernetes-validations": [{ rule: expression }],
});

test.each([
  [
    "loops in loops over lists without limits",
    "self.list.all(a, self.list.all(b, self.list.all(c, a + b + c != '')))",
  ],
  [
    "a loop in six levels",
    "self.lists.all(a, a.all(b, self.lists.all(c, c.all(d, self.lists.all(e, e.all(f, f != b))))))",
  ],
  [
    "texts that double",
    `self.list.map(x, x+x+x+x).map(x, x+x+x+x).map(x, x+x+x+x).map(x, x+x+x+x).size() > 0 && self.list.all(x, self.list.all(y, x+y != ''))`,
  ],
  [
    "a pattern on a text without a limit, in loops",
    "self.list.all(x, self.list.all(y, x.matches(y)))",
  ],
])("an expression with %s is refused when it is defined", async (_, expression) => {
  await server().during(async () => {
    const { status, message } = await define(rule(expression));
    expect([status, message.slice(0, 3000)]).toEqual([
      422,
      expect.stringMatching(/estimated rule cost|cost/),
    ]);
  });
});

test.each([
  ["100,000 open brackets", "(".repeat(100_000)],
  ["20,000 nots", `${"!".repeat(20_000)}true`],
  ["20,000 additions", `${"1+".repeat(20_000)}1 == 1`],
  ["20,000 selections", `self${".a".repeat(20_000)}`],
  ["nested lists", `${"[".repeat(5_000)}${"]".repeat(5_000)} == []`],
  ["nested conditions", `${"true ? (".repeat(2_000)}true${") : false".repeat(2_000)}`],
  ["a text that does not end", `'${"x".repeat(100_000)}`],
  ["an escape that is none", "'\\xZZ' == ''"],
  ["a macro in a macro", `${"self.list.exists(x, ".repeat(300)}true${")".repeat(300)}`],
  ["a number beyond all", `${"9".repeat(100_000)} > 0`],
  ["a division by zero", "1 / 0 == 1"],
  ["an overflow", "9223372036854775807 + 1 > 0"],
  ["a function that is none", "system('id') == ''"],
  ["a prototype", "self.__proto__ == self.constructor"],
  ["a variable of the engine", "globalThis == process"],
  ["NUL", "'a\u0000' == \u0000"],
  ["nothing", ""],
])("an expression of %s is refused or harmless", async (_, expression) => {
  await server().during(async () => {
    const { status } = await define(rule(expression));
    expect([201, 422]).toContain(status);
  });
});

test("macros that double what they are called on are cut off early", async () => {
  await server().during(async () => {
    const expression = `optional.of([1])${".optMap(x, x)".repeat(60)}.hasValue()`;
    const { status } = await define(rule(expression));
    expect([201, 422]).toContain(status);
  });
});

test.each([
  ["a lookahead", "(?=a)b"],
  ["a backreference", "(a)\\1"],
  ["a repetition of a repetition", "(((a{1000}){1000}){1000})"],
  ["a repetition beyond all", "a{2147483648}"],
  ["10,000 groups", "(".repeat(10_000) + ")".repeat(10_000)],
  ["an open class", "[a-"],
  ["an open group", "(a"],
  ["a broken escape", "\\"],
])("the pattern with %s is refused", async (_, pattern) => {
  await server().during(async () => {
    const { status } = await define({ type: "object", properties: { a: { ...text, pattern } } });
    expect([422, 400]).toContain(status);
    // The same pattern as data of an expression.
    const own = await define(rule(`self.text.matches(${JSON.stringify(pattern)})`, {}));
    expect([201, 422]).toContain(own.status);
  });
});

test("schemas that are deep, wide or defined by themselves are refused or read", async () => {
  await server().during(async () => {
    let deep: object = text;
    for (let at = 0; at < 2_000; at++) deep = { type: "object", properties: { a: deep } };
    expect([201, 400, 422]).toContain((await define(deep)).status);
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, text]));
    expect([201, 400, 413, 422]).toContain(
      (await define({ type: "object", properties: wide })).status,
    );
    const self = { type: "object", properties: { a: { $ref: "#" } } };
    expect((await define(self)).status).toBe(422);
    const choices = Array.from({ length: 2_000 }, () => ({ anyOf: [{ required: ["a"] }] }));
    expect([201, 422]).toContain(
      (await define({ type: "object", properties: { a: text }, allOf: choices })).status,
    );
  });
});
