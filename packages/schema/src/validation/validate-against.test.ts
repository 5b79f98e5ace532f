/** What kube-apiserver 1.36.3 answered to creates of a custom resource (`fixtures/values.json`, dry run). */
import { readFileSync } from "node:fs";
import { decodeJson, FieldPath, type JsonObject, type JsonValue } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import { expect, test } from "vitest";
import { applySchemaDefaults } from "../defaulting/apply-schema-defaults.ts";
import { dropNulls, prune } from "../pruning/prune.ts";
import { parseStructuralSchema } from "../structural/structural-schema.ts";
import { checkListTypes } from "./list-types.ts";
import { validateAgainst, validateChangeAgainst } from "./validate-against.ts";

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
      const errors = [...validateAgainst(object, schema), ...checkListTypes(object, schema)];
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
  expect(validateChangeAgainst({ value: { a: "aa", b: "c" }, old }, schema)).toEqual([]);
  expect(validateChangeAgainst({ value: { a: "aa", b: "cc" }, old }, schema)).toHaveLength(1);
  expect(validateChangeAgainst({ value: { a: "aa" }, old: undefined }, schema)).toHaveLength(1);
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
