import {
  compareBytewise,
  decodeJson,
  encodeJson,
  type JsonObject,
  type JsonValue,
  listSchemaNames,
  type ObjectSchema,
  parseDuration,
  parseTime,
  type SchemaField,
  schemaOf,
  setOwnKey,
  type WireField,
} from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ObjectJson } from "../answers/answer.ts";
import { printedJson } from "../answers/object-payload.ts";
import { MessageEncoder } from "./encode-message.ts";
import { jsonPlanOf } from "./json-plan.ts";

function encoded(schema: ObjectSchema, json: ObjectJson): string {
  const encoder = new MessageEncoder();
  encoder.write(jsonPlanOf(schema), json);
  return encoder.writer.take().toString("hex");
}

/*
 * The plain way, from the tree and with nothing shared with the encoder but the schema table: fields by
 * number, each after its tag, messages within messages by concatenation.
 */

function plainMessage(schema: ObjectSchema, object: JsonObject): Buffer {
  const fields = [...schema.wireFields.values()].sort((a, b) => a.number - b.number);
  return Buffer.concat(fields.map((wire) => plainField(schema, wire, object)));
}

function plainField(schema: ObjectSchema, wire: WireField, object: JsonObject): Buffer {
  const { name, number, shape } = wire;
  const wireType = shape === "single" ? wire.wireType : 2;
  if (name === undefined) {
    return tagged(number, 2, sized(plainMessage(schemaOf(wire.schema!), object)));
  }
  const value = Object.hasOwn(object, name) ? object[name] : null;
  if (value === undefined || value === null) {
    const isPointer = schema.fields.get(name)?.pointer === true || wire.scalar === "bytes";
    return isPointer || shape !== "single"
      ? Buffer.alloc(0)
      : tagged(number, wireType, plainValue(wire, null));
  }
  if (shape === "single") return tagged(number, wireType, plainValue(wire, value));
  if (shape === "list") {
    const elements = (value as JsonValue[]).map((each) =>
      tagged(number, wire.wireType, plainValue(wire, each)),
    );
    return Buffer.concat(elements);
  }
  const entries = Object.entries(value).sort(([a], [b]) => compareBytewise(a, b));
  const elementType = wire.scalar === undefined ? 2 : WIRE_TYPES[wire.scalar];
  return Buffer.concat(
    entries.map(([key, each]) => {
      const entry = [
        tagged(1, 2, sized(Buffer.from(key))),
        tagged(2, elementType, plainValue(wire, each)),
      ];
      return tagged(number, 2, sized(Buffer.concat(entry)));
    }),
  );
}

const SECOND = 1_000_000_000n;
const WIRE_TYPES = { bool: 0, bytes: 2, double: 1, int32: 0, int64: 0, string: 2 } as const;

/** Null is the zero of its type. */
function plainValue(wire: WireField, value: JsonValue): Buffer {
  if (wire.schema !== undefined) return sized(plainForm(schemaOf(wire.schema), value));
  switch (wire.scalar) {
    case "bool":
      return varint(value === true ? 1n : 0n);
    case "int32":
    case "int64":
      return varint(BigInt((value ?? 0) as number | bigint));
    case "double": {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(Number(value ?? 0));
      return bytes;
    }
    case "bytes":
      return sized(Buffer.from((value ?? "") as string, "base64"));
    default:
      return sized(Buffer.from((value ?? "") as string));
  }
}

function plainForm(schema: ObjectSchema, value: JsonValue): Buffer {
  switch (schema.form) {
    case "object":
      return plainMessage(schema, (value ?? {}) as JsonObject);
    case "any":
    case "any-object":
      return value === null ? Buffer.alloc(0) : tagged(1, 2, sized(Buffer.from(encodeJson(value))));
    case "quantity":
      return tagged(1, 2, sized(Buffer.from((value ?? "0") as string)));
    case "duration":
      return tagged(1, 0, varint(parseDuration((value ?? "0s") as string)));
    case "time":
    case "micro-time": {
      if (value === null) return Buffer.alloc(0);
      const instant = parseTime(value as string);
      const rest = ((instant % SECOND) + SECOND) % SECOND;
      const seconds = (instant - rest) / SECOND;
      return Buffer.concat([tagged(1, 0, varint(seconds)), tagged(2, 0, varint(rest))]);
    }
    case "int-or-string":
      return Buffer.concat([
        tagged(1, 0, varint(typeof value === "string" ? 1n : 0n)),
        tagged(2, 0, varint(typeof value === "string" ? 0n : BigInt((value ?? 0) as number))),
        tagged(3, 2, sized(Buffer.from(typeof value === "string" ? value : ""))),
      ]);
    default:
      return value === null ? Buffer.alloc(0) : plainMessage(schema, alternativeOf(schema, value));
  }
}

/** The member of a message that holds a list, a boolean or a schema. */
function alternativeOf({ form }: ObjectSchema, value: JsonValue): JsonObject {
  const schema = value as JsonObject;
  switch (form) {
    case "string-list":
      return { items: value };
    case "schema-or-list":
      return Array.isArray(value) ? { jSONSchemas: value } : { schema };
    case "schema-or-strings":
      return Array.isArray(value) ? { property: value } : { schema };
    default:
      return typeof value === "boolean" ? { allows: value } : { allows: true, schema };
  }
}

function tagged(number: number, wireType: number, value: Buffer): Buffer {
  return Buffer.concat([varint(BigInt(number * 8 + wireType)), value]);
}

function sized(value: Buffer): Buffer {
  return Buffer.concat([varint(BigInt(value.length)), value]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

/* Objects as the codec prints them, and stranger ones. */

const KEYS = [
  "a",
  "b",
  "",
  "é",
  "\u{1f600}",
  "\uffee",
  "10",
  "9",
  "__proto__",
  "constructor",
  '"',
  "b\\",
  "\n",
  "a\u0001",
];
const TEXTS = [
  "",
  "a",
  "é",
  "x".repeat(50),
  "x".repeat(70),
  "\u{1f600}".repeat(40),
  "{}[],:",
  "<&>",
  'say "hi"',
  "\\",
  '\\"',
  `${"y".repeat(80)}\n`,
  "\t\u0000",
  "null",
];

function mapOf(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const map: JsonObject = {};
  for (const [key, value] of entries) setOwnKey(map, key, value);
  return map;
}

function valueOf(schemaName: string, levels: number): fc.Arbitrary<JsonValue> {
  const schema = schemaOf(schemaName);
  const jsonSchema = (): fc.Arbitrary<JsonValue> =>
    objectOf(schemaOf("apiextensions.v1.JSONSchemaProps"), levels - 1);
  switch (schema.form) {
    case "quantity":
      return fc.constantFrom("0", "1500m", "1Gi", "-3", "12345678901234567890");
    case "time":
      return fc.constantFrom(
        "2026-01-02T03:04:05Z",
        "2024-02-29T23:59:59Z",
        "1969-12-31T23:59:59Z",
        "0001-01-01T00:00:01Z",
        "9999-12-31T23:59:59Z",
        "2024-01-02T03:04:05.5+01:00",
      );
    case "micro-time":
      return fc.constantFrom("2024-01-02T03:04:05.000007Z", "1969-12-31T23:59:59.999999Z");
    case "duration":
      return fc.constantFrom("0s", "1h30m0s", "-250ms");
    case "int-or-string":
      return fc.constantFrom<JsonValue>(0, 80, -1, 2 ** 31 - 1, "http", "", "50%", '"');
    case "string-list":
      return fc.constantFrom<JsonValue>([], ["a"], ["\\", ""], ["", null]);
    case "schema-or-bool":
      return fc.oneof(fc.boolean(), jsonSchema());
    case "schema-or-list":
      return fc.oneof(jsonSchema(), fc.array(jsonSchema(), { maxLength: 2 }));
    case "schema-or-strings":
      return fc.oneof(jsonSchema(), fc.constantFrom<JsonValue>(["a", "b"], []));
    case "object":
      return objectOf(schema, levels - 1);
    case "any":
      return anyJson();
    default:
      return fc.dictionary(fc.constantFrom(...KEYS), anyJson());
  }
}

function anyJson(): fc.Arbitrary<JsonValue> {
  const odd = fc.constantFrom<JsonValue>("}", '"]', 1.5, 2n ** 60n, true, [[], {}], {
    "{": [null],
  });
  return fc.oneof(fc.jsonValue() as fc.Arbitrary<JsonValue>, odd);
}

function scalarOf({ scalar }: SchemaField): fc.Arbitrary<JsonValue> {
  switch (scalar) {
    case "bool":
      return fc.boolean();
    case "bytes":
      return fc.constantFrom("", "YQ==", "/+8=", "QUJD".repeat(40));
    case "int32":
      return fc.constantFrom(0, 1, -1, 127, 128, -(2 ** 31), 2 ** 31 - 1);
    case "int64":
      return fc.constantFrom<JsonValue>(
        0,
        -1,
        300,
        999_999_999_999_999,
        2 ** 53 - 1,
        2n ** 63n - 1n,
        -(2n ** 63n),
      );
    case "double":
      return fc.constantFrom(0, 3, 1.5, -1e300, 5e-324);
    default:
      return fc.constantFrom(...TEXTS);
  }
}

function fieldOf(field: SchemaField, levels: number): fc.Arbitrary<JsonValue> {
  const known = field.schema === undefined ? scalarOf(field) : valueOf(field.schema, levels);
  const value = fc.option(known, { freq: 12 });
  if (field.shape === "single") return value;
  if (field.shape === "list") return fc.option(fc.array(value, { maxLength: 3 }), { freq: 20 });
  const entries = fc.array(fc.tuple(fc.constantFrom(...KEYS), value), { maxLength: 5 });
  return fc.option(entries.map(mapOf), { freq: 20 });
}

/** Some fields in any order, and sometimes one that nobody knows. */
function objectOf(schema: ObjectSchema, levels: number): fc.Arbitrary<JsonObject> {
  const fields = [...schema.fields.values()];
  if (levels <= 0 || fields.length === 0) return fc.constant({});
  const known = fc
    .shuffledSubarray(fields, { maxLength: Math.min(fields.length, 7) })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((field) =>
          fieldOf(field, levels).map((value) => [field.name, value] as const),
        ),
      ),
    );
  const names = ["foo", "__proto__", "constructor", "nam", "names", 'name"', "name\\", ""];
  const unknownNames = names.filter((name) => !schema.fields.has(name));
  const unknown = fc.option(fc.tuple(fc.constantFrom(...unknownNames), anyJson()), { freq: 5 });
  return fc
    .tuple(known, unknown)
    .map(([members, other]) => mapOf(other === null ? members : [...members, other]));
}

const kinds = listSchemaNames()
  .map(schemaOf)
  .filter(({ isKind }) => isKind);

const objects = fc
  .constantFrom(...kinds, schemaOf("core.v1.Pod"), schemaOf("core.v1.Pod"))
  .chain((schema) => fc.tuple(fc.constant(schema), objectOf(schema, 5)));

test("objects of all kinds have the bytes that the plain way gives, whatever their JSON is like", () => {
  fc.assert(
    fc.property(objects, ([schema, object]) => {
      const json = printedJson(object);
      const read = decodeJson(json.bytes) as JsonObject;
      expect(encoded(schema, json)).toBe(plainMessage(schema, read).toString("hex"));
    }),
    { numRuns: 1_000 },
  );
});

test("field sets that are passed over are written as those that are read", () => {
  const schema = schemaOf("core.v1.ConfigMap");
  const entry = (manager: string, fieldsV1: JsonObject): JsonObject => ({ manager, fieldsV1 });
  const managedFields = [
    entry("one", { "f:data": { 'k:{"a":"}"}': {} } }),
    entry("two", { "f:metadata": { "f:labels": {} } }),
    entry("three", {}),
  ];
  const json = printedJson({ metadata: { managedFields }, data: { a: "\\" } } as JsonObject);
  const text = Buffer.from(json.bytes).toString();
  const all = managedFields.flatMap(({ fieldsV1 }) => {
    const set = encodeJson(fieldsV1);
    const begin = text.indexOf(`"fieldsV1":${set}`) + '"fieldsV1":'.length;
    return [begin, begin + set.length];
  });
  const expected = encoded(schema, json);
  for (const sets of [all, all.slice(0, 2), all.slice(2)]) {
    expect(encoded(schema, { bytes: json.bytes, sets })).toBe(expected);
  }
});

test("an encoder that is used again has forgotten what it read before, also where that was large", () => {
  const schema = schemaOf("core.v1.Pod");
  const containers = Array.from({ length: 4_000 }, (_, index) => ({
    name: `c${index}`,
    tty: true,
  }));
  const large = printedJson({ spec: { containers, hostname: "a" } } as JsonObject);
  const small = printedJson({ spec: { containers: [{ name: "b" }] } } as JsonObject);
  const encoder = new MessageEncoder();
  for (const json of [small, large, small, small]) {
    encoder.writer.reset();
    encoder.write(jsonPlanOf(schema), json);
    expect(encoder.writer.take().toString("hex")).toBe(encoded(schema, json));
  }
});

test("halves of surrogate pairs are written as replacement characters", () => {
  const bytes = Buffer.from('{"data":{"a":"x\\ud800y"}}');
  expect(encoded(schemaOf("core.v1.ConfigMap"), { bytes, sets: [] })).toContain(
    Buffer.from("x\ufffdy").toString("hex"),
  );
});
