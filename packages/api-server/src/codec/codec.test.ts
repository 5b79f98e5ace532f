import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue, ObjectSchema, SchemaField } from "@homeostat/object-model";
import {
  decodeJson,
  encodeJson,
  equalJson,
  listSchemaNames,
  schemaOf,
  setOwnKey,
} from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { printObject } from "./print-object.ts";
import { readObject } from "./read-object.ts";

interface Answer {
  readonly schema: string;
  /** Where the server adds nothing but metadata. */
  readonly body?: JsonObject;
  readonly answer: JsonObject;
}

const { answers } = JSON.parse(
  readFileSync(new URL("fixtures/kube-apiserver-1.36.json", import.meta.url), "utf8"),
) as { answers: Answer[] };

test.for(answers)("a $schema prints as kube-apiserver prints it", ({ schema: name, answer }) => {
  const schema = schemaOf(name);
  expect(printObject(schema, answer)).toBe(answer);
  const shuffled = backwards(schema, answer);
  expect(encodeJson(shuffled)).not.toBe(encodeJson(answer));
  expect(encodeJson(printObject(schema, shuffled))).toBe(encodeJson(answer));
  const { object, unknownFields } = readObject(schema, answer);
  expect(unknownFields).toEqual([]);
  expect(encodeJson(printObject(schema, object))).toBe(encodeJson(answer));
});

test.for(answers.filter(({ body }) => body !== undefined))(
  "a $schema as sent becomes the one kube-apiserver stored",
  ({ schema: name, body, answer }) => {
    const { object } = readObject(schemaOf(name), body!);
    const printed = printObject(schemaOf(name), { ...object, metadata: answer["metadata"]! });
    expect(encodeJson(printed)).toBe(encodeJson(answer));
  },
);

/** The same with the keys of all structs and maps the other way round; free content as it is. */
function backwards(schema: ObjectSchema, object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object)
      .reverse()
      .map(([key, value]) => [key, backwardsField(schema.fields.get(key)!, value)]),
  );
}

function backwardsField(field: SchemaField, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => backwardsValue(field, item));
  if (field.shape === "single" || value === null || typeof value !== "object") {
    return backwardsValue(field, value);
  }
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, backwardsValue(field, item)]),
  );
}

function backwardsValue(field: SchemaField, value: JsonValue): JsonValue {
  const schema = field.schema === undefined ? undefined : schemaOf(field.schema);
  if (schema?.form !== "object" || value === null || typeof value !== "object") return value;
  return Array.isArray(value) ? value : backwards(schema, value);
}

const KEYS = ["a", "b", "é", "\u{1f600}", "\uffee", "10", "9", "__proto__", "constructor"];

/** Values of every kind, wrong ones not among them. */
function valueOf(schemaName: string | undefined, levels: number): fc.Arbitrary<JsonValue> {
  if (schemaName === undefined) return fc.constantFrom<JsonValue>("", "a");
  const schema = schemaOf(schemaName);
  switch (schema.form) {
    case "quantity":
      return fc.constantFrom<JsonValue>("1000m", "1024Mi", "0", 1.5, 7);
    case "time":
      return fc.constantFrom("2024-01-02T03:04:05+01:00", "2024-01-02T03:04:05.7Z");
    case "micro-time":
      return fc.constantFrom("2024-01-02T03:04:05.000007+01:00", "2024-01-02T03:04:05.700000Z");
    case "duration":
      return fc.constantFrom("90s", "1h", "0");
    case "int-or-string":
      return fc.constantFrom<JsonValue>(0, 80, "http", "");
    case "string-list":
      return fc.constantFrom<JsonValue>(["a"], ["b", "a"]);
    case "schema-or-bool":
      return fc.boolean();
    case "object":
      return objectOf(schema, levels - 1);
    default:
      return fc.constant({ b: 1, a: [{ d: 1, c: null }] });
  }
}

function scalarOf({ scalar }: SchemaField): fc.Arbitrary<JsonValue> {
  switch (scalar) {
    case "bool":
      return fc.boolean();
    case "bytes":
      return fc.constantFrom("", "YR==", "YWI=", "YW\nI=");
    case "int32":
      return fc.constantFrom(0, 1, -(2 ** 31), 2 ** 31 - 1);
    case "int64":
      return fc.constantFrom<JsonValue>(0, 1, 2n ** 63n - 1n);
    case "double":
      return fc.constantFrom(0, 1.5);
    default:
      return fc.constantFrom("", "a");
  }
}

function fieldOf(field: SchemaField, levels: number): fc.Arbitrary<JsonValue> {
  const value = field.schema === undefined ? scalarOf(field) : valueOf(field.schema, levels);
  const withNull = fc.option(value, { freq: 20 });
  if (field.shape === "single") return withNull;
  if (field.shape === "list") return fc.array(withNull, { maxLength: 3 });
  return fc.array(fc.tuple(fc.constantFrom(...KEYS), withNull), { maxLength: 4 }).map(mapOf);
}

function mapOf(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const map: JsonObject = {};
  for (const [key, value] of entries) setOwnKey(map, key, value);
  return map;
}

/** Some fields in any order, and sometimes one that nobody knows. */
function objectOf(schema: ObjectSchema, levels: number): fc.Arbitrary<JsonObject> {
  const fields = [...schema.fields.values()];
  if (levels <= 0 || fields.length === 0) return fc.constant({});
  const known = fc
    .shuffledSubarray(fields, { maxLength: Math.min(fields.length, 6) })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((field) =>
          fieldOf(field, levels).map((value) => [field.name, value] as const),
        ),
      ),
    );
  const unknown = fc.option(fc.constantFrom("foo", "__proto__", "constructor", "KIND"), {
    freq: 10,
  });
  return fc
    .tuple(known, unknown)
    .map(([entries, key]) => mapOf(key === null ? entries : [...entries, [key, { lost: true }]]));
}

const objects = fc
  .constantFrom(...listSchemaNames().filter((name) => schemaOf(name).form === "object"))
  .map(schemaOf)
  .chain((schema) => fc.tuple(fc.constant(schema), objectOf(schema, 4)));

test("what was printed reads and prints as the same text, and printing it again gives itself", () => {
  fc.assert(
    fc.property(objects, ([schema, value]) => {
      const printed = printObject(schema, readObject(schema, value).object);
      const again = readObject(schema, printed);
      expect(again.unknownFields).toEqual([]);
      expect(encodeJson(printObject(schema, again.object))).toBe(encodeJson(printed));
      const twice = printObject(schema, printed);
      expect(encodeJson(twice)).toBe(encodeJson(printed));
    }),
  );
});

test("neither reading nor printing changes what it is given", () => {
  fc.assert(
    fc.property(objects, ([schema, value]) => {
      const given = encodeJson(value);
      const { object } = readObject(schema, value);
      expect(encodeJson(value)).toBe(given);
      const read = encodeJson(object);
      printObject(schema, object);
      expect(encodeJson(object)).toBe(read);
    }),
  );
});

test("an unknown field never survives and is always reported", () => {
  fc.assert(
    fc.property(objects, ([schema, value]) => {
      const lost = encodeJson(value).split('{"lost":true}').length - 1;
      const { object, unknownFields } = readObject(schema, value);
      expect(encodeJson(object)).not.toContain('{"lost":true}');
      expect(unknownFields).toHaveLength(lost);
      expect(encodeJson(printObject(schema, value))).not.toContain('{"lost":true}');
    }),
  );
});

test("map keys that objects inherit are data like any other", () => {
  const schema = schemaOf("core.v1.ConfigMap");
  const body = decodeJson(
    '{"metadata":{"labels":{"toString":"1","__proto__":"2"}},"data":{"constructor":"3","__proto__":"4"},"binaryData":{"__proto__":"YR=="}}',
  );
  const { object } = readObject(schema, body);
  expect(encodeJson(printObject(schema, object))).toBe(
    '{"metadata":{"labels":{"__proto__":"2","toString":"1"}},"data":{"__proto__":"4","constructor":"3"},"binaryData":{"__proto__":"YQ=="}}',
  );
  expect(
    equalJson(printObject(schema, object), printObject(schema, printObject(schema, object))),
  ).toBe(true);
});
