/**
 * Rules of schemas in CEL (semantic 54): what compiles, what it may cost, and what it says of an object.
 * Rules of one list are told in its order, so that one request judges many.
 */
import type { JsonObject } from "@homeostat/object-model";
import { patch, post, type Scenario, type Step, scenario, settle } from "../scenario.ts";
import { BROKEN, COSTLY, JUDGING, type JudgedTheme, TYPES } from "./expression-texts.ts";
import { LIBRARY } from "./library-expression-texts.ts";
import {
  CRD,
  CRDS,
  createSpec,
  define,
  definition,
  version,
  widgets,
  withSpec,
} from "./sample-definitions.ts";

const RULES = "x-kubernetes-validations";
const dry = { query: { dryRun: "All" } };
const text = (maxLength: number): JsonObject => ({ type: "string", maxLength });

/** What expressions speak of. */
const properties: JsonObject = {
  s: text(30),
  t: text(30),
  long: text(10_000),
  i: { type: "integer" },
  j: { type: "integer" },
  d: { type: "number" },
  b: { type: "boolean" },
  l: { type: "array", maxItems: 10, items: text(20) },
  set: { type: "array", maxItems: 10, items: text(20), "x-kubernetes-list-type": "set" },
  n: { type: "array", maxItems: 10, items: { type: "integer" } },
  m: { type: "object", maxProperties: 5, additionalProperties: text(20) },
  o: { type: "object", properties: { x: { type: "integer" }, y: text(10) } },
  list: {
    type: "array",
    maxItems: 5,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    items: { type: "object", required: ["k"], properties: { k: text(10), v: { type: "integer" } } },
  },
  q: { "x-kubernetes-int-or-string": true, maxLength: 20 },
  at: { type: "string", format: "date-time" },
  day: { type: "string", format: "date" },
  span: { type: "string", format: "duration" },
  bytes: { type: "string", format: "byte", maxLength: 40 },
  maybe: { type: "string", nullable: true, maxLength: 10 },
  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  "a-b": text(10),
  "a.b/c": text(10),
  namespace: text(10),
  in: text(10),
  __x__: text(10),
  big: { type: "array", items: { type: "string" } },
};

const spec: JsonObject = {
  s: "hello",
  t: "World",
  long: "abc".repeat(20),
  i: 3,
  j: -7,
  d: 1.5,
  b: true,
  l: ["b", "a", "c"],
  set: ["x", "y"],
  n: [3, 1, 2],
  m: { one: "1", two: "2" },
  o: { x: 1, y: "why" },
  list: [
    { k: "a", v: 1 },
    { k: "b", v: 2 },
  ],
  q: "10%",
  at: "2026-01-02T03:04:05Z",
  day: "2026-01-02",
  span: "1h30m",
  bytes: "aGVsbG8=",
  maybe: null,
  free: { deep: { x: 1 } },
  "a-b": "dash",
  "a.b/c": "path",
  namespace: "ns",
  in: "in",
  __x__: "under",
};

const ruled = (rules: readonly JsonObject[]): JsonObject =>
  withSpec(properties, { spec: { [RULES]: [...rules] } });
const ruleOf = (rule: string): JsonObject => ({ rule });

/** Definitions with these rules, none of which is kept. */
function compiled({ name, rules }: JudgedTheme): Scenario {
  return scenario(`54 ${name}`, post(CRDS, definition([ruled(rules.map(ruleOf))]), dry));
}

/** An object judged by these rules: those that do not hold are told. */
function judging({ name, rules }: JudgedTheme): Scenario {
  return scenario(
    `54 ${name}`,
    define([ruled(rules.map(ruleOf))]),
    createSpec("a", spec),
    createSpec("empty", {}),
  );
}

/** Rules on one property, and what becomes of its values. */
function changing(name: string, property: JsonObject, ...values: readonly JsonObject[]): Scenario {
  const [first, ...rest] = values;
  const steps: Step[] = rest.map((value) => patch(`${widgets()}/a`, ["merge", { spec: value }]));
  return scenario(
    `54 ${name}`,
    define([withSpec({ p: property, other: { type: "string" } })]),
    createSpec("a", first!),
    ...steps,
  );
}

export const expressions: readonly Scenario[] = [
  ...BROKEN.map(compiled),
  ...TYPES.map(compiled),
  ...COSTLY.map(compiled),
  ...JUDGING.map(judging),
  ...LIBRARY.map(judging),
  scenario(
    "54 messages, reasons and places",
    define([
      ruled([
        { rule: "self.i > 100" },
        { rule: "self.i > 101", message: "i is small" },
        { rule: "self.i > 102", message: "i is small", fieldPath: ".i" },
        {
          rule: "self.i > 103",
          message: "one is missing",
          reason: "FieldValueRequired",
          fieldPath: ".o.x",
        },
        { rule: "self.i > 104", reason: "FieldValueForbidden" },
        { rule: "self.i > 105", reason: "FieldValueDuplicate", fieldPath: ".m['one']" },
        { rule: "self.i > 106", messageExpression: "'s is ' + self.s" },
        { rule: "self.i > 107", messageExpression: "self.n[9] > 1 ? 'a' : 'b'" },
        {
          rule: "self.i > 108",
          messageExpression: "self.n[9] > 1 ? 'a' : 'b'",
          message: "instead",
        },
        { rule: "self.i > 109", messageExpression: "'  '" },
        { rule: "self.i > 110", messageExpression: "'two\\nlines'" },
        { rule: "self.i > 111", fieldPath: ".list" },
      ]),
    ]),
    createSpec("a", spec),
  ),
  scenario(
    "54 messages, reasons and places that are none",
    post(
      CRDS,
      definition([
        ruled([
          { rule: "" },
          { rule: "  " },
          { rule: "true", message: "two\nlines" },
          { rule: "true\n||\nfalse" },
          { rule: "true\n||\nfalse", message: "fine" },
          { rule: "true", message: "   " },
          { rule: "true", message: "x".repeat(3000) },
          { rule: "true", reason: "Odd" },
          { rule: "true", fieldPath: ".nothing" },
          { rule: "true", fieldPath: "i" },
          { rule: "true", fieldPath: ".list[0]" },
          { rule: "true", fieldPath: ".m.one" },
          { rule: "true", fieldPath: "" },
          { rule: "true", messageExpression: "1" },
          { rule: "true", messageExpression: "self.nothing" },
          { rule: "true", messageExpression: "" },
          { rule: "true", messageExpression: "oldSelf.s" },
        ]),
      ]),
      dry,
    ),
  ),
  changing(
    "rules of change",
    { ...text(20), [RULES]: [{ rule: "self == oldSelf", message: "stays" }] },
    { p: "a" },
    { p: "b" },
    { p: "a", other: "x" },
    { p: null },
    { p: "c" },
  ),
  changing(
    "rules of change that are asked on create",
    {
      ...text(20),
      [RULES]: [
        { rule: "oldSelf.hasValue() || self == 'new'", optionalOldSelf: true },
        { rule: "oldSelf.orValue('x') != 'end'", optionalOldSelf: true, message: "ended" },
      ],
    },
    { p: "new" },
    { p: "end" },
    { p: "more" },
  ),
  changing(
    "rules of change in lists with keys",
    {
      type: "array",
      maxItems: 5,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: {
        type: "object",
        required: ["k"],
        properties: { k: text(10), v: { type: "integer" } },
        [RULES]: [{ rule: "self.v >= oldSelf.v", message: "shrinks" }],
      },
    },
    { p: [{ k: "a", v: 5 }] },
    {
      p: [
        { k: "b", v: 1 },
        { k: "a", v: 4 },
      ],
    },
    {
      p: [
        { k: "b", v: 1 },
        { k: "a", v: 6 },
      ],
    },
    { p: [{ k: "b", v: 0 }] },
  ),
  scenario(
    "54 rules that were broken before",
    define([withSpec({ a: { type: "integer" }, b: { type: "integer" } })]),
    createSpec("a", { a: 5, b: 5 }),
    patch(CRD, [
      "merge",
      {
        spec: {
          versions: [
            withSpec(
              {
                a: { type: "integer", [RULES]: [{ rule: "self < 3" }] },
                b: { type: "integer", [RULES]: [{ rule: "self < 3", message: "b is large" }] },
              },
              { spec: { [RULES]: [{ rule: "self.a + self.b < 10" }] } },
            ),
          ],
        },
      },
    ]),
    settle(),
    patch(`${widgets()}/a`, ["merge", { metadata: { labels: { a: "b" } } }]),
    patch(`${widgets()}/a`, ["merge", { spec: { a: 4 } }]),
    patch(`${widgets()}/a`, ["merge", { spec: { a: 1 } }]),
  ),
  scenario(
    "54 rules of change where nothing belongs together",
    ...(["atomic", "set"] as const).map((type) =>
      post(
        CRDS,
        definition([
          withSpec({
            p: {
              type: "array",
              maxItems: 5,
              "x-kubernetes-list-type": type,
              items: { ...text(5), [RULES]: [{ rule: "self == oldSelf" }] },
            },
          }),
        ]),
        dry,
      ),
    ),
  ),
  scenario(
    "54 rules of the whole object, and of resources inside",
    define([
      version({
        properties: {
          spec: { type: "object", properties: { size: { type: "integer" } } },
          inner: {
            type: "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
            [RULES]: [{ rule: "self.kind == 'Pod' && self.metadata.name.startsWith('p')" }],
          },
        },
        [RULES]: [
          { rule: "self.metadata.name.size() < 3" },
          { rule: "has(self.metadata.generateName) || self.kind == 'Widget'" },
          { rule: "!has(self.spec.size) || self.spec.size < 3" },
        ],
      }),
    ]),
    post(widgets(), {
      apiVersion: "${ns}.example.com/v1",
      kind: "Widget",
      metadata: { name: "long-name" },
      spec: { size: 5 },
      inner: { apiVersion: "v1", kind: "Node", metadata: { name: "n" } },
    }),
  ),
  scenario(
    "54 an object that costs too much",
    define([
      withSpec(
        { n: { type: "array", maxItems: 1000, items: { type: "integer" } } },
        {
          spec: {
            [RULES]: [
              { rule: "self.n.all(x, self.n.all(y, x + y >= 0))" },
              { rule: "self.n.size() < 3" },
            ],
          },
        },
      ),
    ]),
    createSpec("small", { n: [1, 2, 3] }),
    createSpec("large", { n: Array.from({ length: 1000 }, (_, index) => index) }),
  ),
];
