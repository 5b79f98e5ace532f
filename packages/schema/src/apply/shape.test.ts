import { type JsonValue, schemaOf } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { builtinMergeSchema } from "./builtin-merge-schema.ts";
import { compareValues } from "./compare-values.ts";
import { fieldSetOf } from "./field-set-of.ts";
import { printFieldsV1 } from "./fields-v1.ts";
import { MergeValueError } from "./merge-value-error.ts";
import { ShapeMemo, shapeOf } from "./shape.ts";
import { validateValue } from "./validate-value.ts";

const pod = builtinMergeSchema(schemaOf("core.v1.Pod"));
const service = builtinMergeSchema(schemaOf("core.v1.Service"));

test("objects that differ in what their scalars are have the same shape", () => {
  const made = (image: string): JsonValue => ({ spec: { containers: [{ name: "a", image }] } });
  expect(shapeOf(made("x"), pod)).toBe(shapeOf(made("y:2"), pod));
});

test("keys, elements and types tell shapes apart", () => {
  const shapes = [
    { metadata: { labels: { a: "1" } } },
    { metadata: { labels: { b: "1" } } },
    { metadata: { labels: { a: 1 } } },
    { metadata: { labels: {} } },
    { metadata: { labels: null } },
    { metadata: {} },
    { metadata: { finalizers: ["a"] } },
    { metadata: { finalizers: ["b"] } },
    { spec: { containers: [{ name: "a" }] } },
    { spec: { containers: [{ name: "b" }] } },
    { spec: { containers: [{ name: "a", image: "" }] } },
    { spec: { containers: [{ name: "1" }] } },
    { spec: { containers: [{ name: 1 }] } },
  ].map((value) => shapeOf(value, pod));
  expect(new Set(shapes).size).toBe(shapes.length);
});

test("a key that looks like a part of a shape does not make two shapes alike", () => {
  const inner = shapeOf({ metadata: { labels: { a: "", b: "" } } }, pod);
  const text = "as1:b";
  const outer = shapeOf({ metadata: { labels: { [text]: "" } } }, pod);
  expect(inner).not.toBe(outer);
});

test("what is large, deep or has no element of its own has no shape", () => {
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`key-${at}`, "x"]));
  expect(shapeOf({ metadata: { labels: many } }, pod)).toBeUndefined();
  expect(shapeOf({ spec: { containers: [null] } }, pod)).toBeUndefined();
  expect(shapeOf({ spec: { containers: [{ name: { a: 1 } }] } }, pod)).toBeUndefined();
  expect(shapeOf({ metadata: { labels: { ["__proto__"]: "x" } } }, pod)).toBeDefined();
});

const scalar = fc.constantFrom<JsonValue>("", "a", "b", 0, 1, true, null);
const port = fc.record(
  {
    name: scalar,
    port: fc.constantFrom<JsonValue>(1, 2, "1", null),
    protocol: fc.constantFrom<JsonValue>("TCP", "UDP", ""),
  },
  { requiredKeys: [] },
);
const value: fc.Arbitrary<JsonValue> = fc.record(
  {
    metadata: fc.record(
      {
        labels: fc.dictionary(fc.constantFrom("a", "b", "__proto__"), scalar),
        finalizers: fc.array(fc.constantFrom("x", "y")),
        ownerReferences: fc.array(fc.record({ uid: fc.constantFrom("1", "2"), name: scalar })),
      },
      { requiredKeys: [] },
    ),
    spec: fc.oneof(
      fc.constant(null),
      fc.record(
        {
          ports: fc.oneof(fc.constant(null), fc.array(port)),
          selector: fc.dictionary(fc.constantFrom("a", "b"), scalar),
          externalIPs: fc.array(scalar),
          type: scalar,
        },
        { requiredKeys: [] },
      ),
    ),
    status: fc.oneof(fc.constant({}), fc.constant({ loadBalancer: {} }), scalar),
  },
  { requiredKeys: [] },
);

function outcomeOf(object: JsonValue, empty: JsonValue): string {
  try {
    validateValue(object, service, { allowDuplicates: true });
    const { added, modified, removed } = compareValues(empty, object, service);
    const sets = [added, modified, removed, fieldSetOf(object, service)];
    return JSON.stringify(sets.map((set) => printFieldsV1(set)));
  } catch (error) {
    if (error instanceof MergeValueError) return "refused";
    throw error;
  }
}

test("whether a value fits, its fields and how it differs from another follow from its shape", () => {
  const empties: JsonValue[] = [
    {},
    { metadata: {}, spec: {}, status: { loadBalancer: {} } },
    { metadata: { labels: { a: "a" } }, spec: { type: "a", ports: null }, status: {} },
  ];
  const known = empties.map(() => new Map<string, string>());
  fc.assert(
    fc.property(value, (object) => {
      for (const [at, empty] of empties.entries()) {
        const shape = shapeOf(object, service, empty);
        if (shape === undefined) continue;
        const outcome = outcomeOf(object, empty);
        expect(outcome).toBe(known[at]!.get(shape) ?? outcome);
        known[at]!.set(shape, outcome);
      }
    }),
    { numRuns: 500 },
  );
});

test("the values above have many shapes", () => {
  const samples = fc.sample(value, { seed: 1, numRuns: 500 });
  const shapes = samples.map((object) => shapeOf(object, service, {}));
  expect(new Set(shapes.filter((shape) => shape !== undefined)).size).toBeGreaterThan(20);
});

test("a memo forgets once it holds too much", () => {
  const memo = new ShapeMemo<number>();
  memo.set("a", 1);
  expect(memo.get("a")).toBe(1);
  for (let at = 0; at < 200; at++) memo.set(`${at}`.padEnd(1000, "x"), at);
  expect(memo.get("a")).toBeUndefined();
  expect(memo.get("199".padEnd(1000, "x"))).toBe(199);
});
