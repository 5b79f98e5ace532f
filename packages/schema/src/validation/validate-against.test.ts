/** What kube-apiserver 1.36.3 answered to creates of a custom resource (`fixtures/values.json`, dry run). */

import { readFileSync } from "node:fs";
import { finishNow } from "@homeostat/cel";
import { decodeJson, FieldPath, type JsonObject, type JsonValue } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import { expect, test } from "vitest";
import { applySchemaDefaults } from "../defaulting/apply-schema-defaults.ts";
import { dropNulls, prune } from "../pruning/prune.ts";
import { parseStructuralSchema } from "../structural/structural-schema.ts";
import { checkListTypes } from "./list-types.ts";
import {
  validateAgainst,
  validateAgainstInSteps,
  validateChangeAgainst,
} from "./validate-against.ts";

interface Case {
  readonly name: string;
  /** JSON. */
  readonly value: string;
  readonly causes?: readonly (readonly [string, string, string])[];
  readonly unknown?: readonly string[];
  readonly result?: JsonValue;
}

const { schemas, cases } = JSON.parse(
  readFileSync(new URL("../fixtures/values.json", import.meta.url), "utf8"),
) as { schemas: Record<string, JSONSchemaProps>; cases: Case[] };

const byName = Map.groupBy(cases, ({ name }) => name);

test.for([...byName])(
  "values of schema %s are taken and refused as kube-apiserver does",
  ([name, own]) => {
    const spec = { type: "object", properties: { [name]: schemas[name]! } };
    const schema = parseStructuralSchema({ type: "object", properties: { spec } });
    for (const { value, causes = [], unknown = [], result } of own) {
      const object = decodeJson(`{"kind":"K","spec":{"${name}":${value}}}`) as JsonObject;
      const dropped = prune(object, schema);
      dropNulls(object, schema);
      applySchemaDefaults(object, schema);
      const left = toNumbers((object["spec"] as JsonObject)[name]);
      const errors = [
        ...validateAgainst(object, schema),
        ...finishNow(checkListTypes(object, schema)),
      ];
      const found = errors.map(({ type, field, body }) => [type, field, body]);
      expect({
        value,
        dropped,
        causes: sorted(found),
        result: errors.length === 0 ? left : undefined,
      }).toEqual({ value, dropped: unknown, causes: sorted(causes), result });
    }
  },
);

function toNumbers(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "bigint" ? Number(value) : value;
}

/** It walks maps in random order. */
function sorted(causes: readonly (readonly string[])[]): string[] {
  return causes.map((cause) => cause.join(" ")).sort();
}

test("errors inside a part of an object begin with where it stands", () => {
  const schema = parseStructuralSchema({
    type: "object",
    required: ["ready"],
    properties: { count: { type: "integer" } },
    additionalProperties: { type: "string" },
  });
  const errors = validateAgainst({ count: "x", other: 1 }, schema, {
    path: FieldPath.of("status"),
  });
  expect(errors.map(String)).toEqual([
    'status.count: Invalid value: "string": count in body must be of type integer: "string"',
    'status.other: Invalid value: "integer": .other in body must be of type string: "integer"',
    "status.ready: Required value",
  ]);
});

test("the same error is told once", () => {
  const schema = parseStructuralSchema({
    type: "string",
    maxLength: 2,
    allOf: [{ maxLength: 2 }, { maxLength: 2 }],
  });
  const texts = validateAgainst("abc", schema).map(String);
  expect(texts.filter((text) => text.includes("Too long"))).toHaveLength(1);
});

test("what did not change may stay invalid, and only that", () => {
  const schema = parseStructuralSchema({
    type: "object",
    properties: { a: { type: "string", maxLength: 1 }, b: { type: "string", maxLength: 1 } },
  });
  const old = { a: "aa", b: "b" };
  expect(finishNow(validateChangeAgainst({ value: { a: "aa", b: "c" }, old }, schema))).toEqual([]);
  expect(
    finishNow(validateChangeAgainst({ value: { a: "aa", b: "cc" }, old }, schema)),
  ).toHaveLength(1);
  expect(
    finishNow(validateChangeAgainst({ value: { a: "aa" }, old: undefined }, schema)),
  ).toHaveLength(1);
});

test("keys that every object inherits are plain data", () => {
  const schema = parseStructuralSchema({
    type: "object",
    additionalProperties: { type: "integer" },
    required: ["toString"],
  });
  const value = decodeJson('{"__proto__":"x","constructor":2}');
  expect(validateAgainst(value, schema).map(({ field }) => field)).toEqual([
    "__proto__",
    "toString",
  ]);
});

test("a pattern takes time in proportion to the text, however it is written", () => {
  const schema = parseStructuralSchema({ type: "string", pattern: "^(a+)+$" });
  expect(validateAgainst(`${"a".repeat(50_000)}b`, schema)).toHaveLength(1);
});

/** How many times others got a turn, and what came of it. */
function counted<T>(steps: Generator<undefined, T, undefined>): { rests: number; value: T } {
  for (let rests = 0; ; rests++) {
    const step = steps.next();
    if (step.done === true) return { rests, value: step.value };
  }
}

test("large values are validated in steps, with the same errors in the same order", () => {
  const schema = parseStructuralSchema({
    type: "object",
    properties: {
      texts: {
        type: "array",
        items: { type: "string", anyOf: [{ pattern: "^a+b$" }, { maxLength: 2 }] },
      },
      long: { type: "string", pattern: "[ab]*a[ab]{300}c$", maxLength: 100_000 },
      numbers: { type: "array", items: { type: "integer", enum: [1, 2, 3] } },
    },
  });
  const texts = Array.from({ length: 3_000 }, (_, index) => (index === 2_999 ? "abc" : "aab"));
  const numbers = Array.from({ length: 9_000 }, (_, index) => (index === 7 ? 9 : 1));
  const value = { texts, long: "ab".repeat(2_000), numbers };
  const { rests, value: errors } = counted(validateAgainstInSteps(value, schema));
  expect(rests).toBeGreaterThan(3);
  expect(errors.map(({ field }) => field)).toEqual(["<nil>", "texts[2999]", "long", "numbers[7]"]);
  expect(errors.map(String)).toEqual(validateAgainst(value, schema).map(String));
  const changed = counted(validateChangeAgainst({ value, old: { ...value, numbers: [] } }, schema));
  expect(changed.value.map(({ field }) => field)).toEqual(["numbers[7]"]);
});

test("a text that is too long is not searched as well", () => {
  const long = { type: "string", pattern: "[ab]*a[ab]{300}c$", maxLength: 10 };
  const schema = parseStructuralSchema({ type: "object", properties: { long } });
  const value = { long: "ab".repeat(200_000) };
  const { rests, value: errors } = counted(validateAgainstInSteps(value, schema));
  expect(rests).toBeLessThan(2);
  expect(errors.map(({ type }) => type)).toEqual(["FieldValueTooLong"]);
});

test("items that must differ are compared in steps", () => {
  const items = { type: "string" };
  const list = { type: "array", "x-kubernetes-list-type": "set", items };
  const schema = parseStructuralSchema({ type: "object", properties: { list } });
  const value = { list: Array.from({ length: 20_000 }, (_, index) => `x${index % 19_999}`) };
  const { rests, value: errors } = counted(checkListTypes(value, schema));
  expect(rests).toBeGreaterThan(0);
  expect(errors.map(String)).toEqual(['list[19999]: Duplicate value: "x0"']);
});
