import {
  equalJson,
  type JsonObject,
  type JsonValue,
  listSchemaNames,
  type ObjectSchema,
  type SchemaField,
  schemaOf,
  setOwnKey,
} from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { printedJson } from "../answers/object-payload.ts";
import { readObject } from "../codec/read-object.ts";
import { decodeObject } from "./decode-object.ts";
import { encodeObject } from "./encode-object.ts";
import { ProtobufError } from "./protobuf-error.ts";
import { WireWriter } from "./wire-writer.ts";

const KEYS = ["", "a", "b", "é", "\u{1f600}", "\uffee", "10", "9", "__proto__", "constructor"];

/** Values in canonical form. */
function valueOf(schemaName: string, levels: number): fc.Arbitrary<JsonValue> {
  const schema = schemaOf(schemaName);
  const jsonSchema = (): fc.Arbitrary<JsonValue> =>
    objectOf(schemaOf("apiextensions.v1.JSONSchemaProps"), levels - 1);
  switch (schema.form) {
    case "quantity":
      return fc.constantFrom("0", "1500m", "1Gi", "-3", "12345678901234567890");
    case "time":
      return fc.constantFrom(
        "2024-01-02T03:04:05Z",
        "1969-12-31T23:59:59Z",
        "9999-12-31T23:59:59Z",
      );
    case "micro-time":
      return fc.constantFrom("2024-01-02T03:04:05.000007Z", "1969-12-31T23:59:59.999999Z");
    case "duration":
      return fc.constantFrom("0s", "1h0m0s", "-5ms");
    case "int-or-string":
      return fc.constantFrom<JsonValue>(0, -1, 80, "http", "");
    case "string-list":
      return fc.constantFrom<JsonValue>([], ["a"], ["b", ""]);
    case "schema-or-bool":
      return fc.oneof(fc.boolean(), jsonSchema());
    case "schema-or-list":
      return fc.oneof(jsonSchema(), fc.array(jsonSchema(), { minLength: 1, maxLength: 2 }));
    case "schema-or-strings":
      return fc.oneof(jsonSchema(), fc.constant<JsonValue>(["a", "b"]));
    case "object":
      return objectOf(schema, levels - 1);
    default:
      return fc.constantFrom<JsonValue>({ b: 1n << 60n, a: [{ c: null }] }, { é: "<" });
  }
}

function scalarOf({ scalar }: SchemaField): fc.Arbitrary<JsonValue> {
  switch (scalar) {
    case "bool":
      return fc.boolean();
    case "bytes":
      return fc.constantFrom("", "YQ==", "/+8=");
    case "int32":
      return fc.constantFrom(0, 1, -1, -(2 ** 31), 2 ** 31 - 1);
    case "int64":
      return fc.constantFrom<JsonValue>(0, -1, 300, 2 ** 40, 2n ** 63n - 1n, -(2n ** 63n));
    case "double":
      return fc.constantFrom(0, 1.5, -1e300);
    default:
      return fc.constantFrom("", "a", "é", "x".repeat(50), "\u{1f600}".repeat(40));
  }
}

function fieldOf(field: SchemaField, levels: number): fc.Arbitrary<JsonValue> {
  const value = field.schema === undefined ? scalarOf(field) : valueOf(field.schema, levels);
  if (field.shape === "single") return value;
  // Protobuf has no empty lists and maps.
  if (field.shape === "list") return fc.array(value, { minLength: 1, maxLength: 3 });
  return fc
    .array(fc.tuple(fc.constantFrom(...KEYS), value), { minLength: 1, maxLength: 4 })
    .map(mapOf);
}

function mapOf(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const map: JsonObject = {};
  for (const [key, value] of entries) setOwnKey(map, key, value);
  return map;
}

function objectOf(schema: ObjectSchema, levels: number): fc.Arbitrary<JsonObject> {
  const fields = [...schema.fields.values()].filter(
    ({ name }) => !schema.isKind || (name !== "kind" && name !== "apiVersion"),
  );
  if (levels <= 0 || fields.length === 0) return fc.constant({});
  return fc
    .shuffledSubarray(fields, { maxLength: Math.min(fields.length, 6) })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((field) =>
          fieldOf(field, levels).map((value) => [field.name, value] as const),
        ),
      ),
    )
    .map(mapOf);
}

const kinds = listSchemaNames()
  .map(schemaOf)
  .filter(({ isKind, onlyApiVersion }) => isKind && onlyApiVersion !== undefined);

const objects = fc.constantFrom(...kinds).chain((schema) =>
  objectOf(schema, 5).map((fields) => ({
    schema,
    object: {
      kind: schema.name.slice(schema.name.lastIndexOf(".") + 1),
      apiVersion: schema.onlyApiVersion!,
      ...fields,
    } as JsonObject,
  })),
);

test("objects of all kinds are read from their bytes as they were, in the form that JSON is read in", () => {
  fc.assert(
    fc.property(objects, ({ schema, object }) => {
      const { object: read } = readObject(schema, object);
      const bytes = encodeObject(printedJson(read));
      const decoded = decodeObject(bytes, { kind: "", apiVersion: "" });
      expect(equalJson(readObject(schema, decoded).object, decoded)).toBe(true);
      expect(withoutZeros(decoded)).toEqual(withoutZeros(read));
      expect(encodeObject(printedJson(decoded))).toEqual(bytes);
    }),
    { numRuns: 400 },
  );
});

/** Structs, quantities and ports that Go has as values are on the wire though nobody gave them. */
function withoutZeros(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutZeros);
  const entries = Object.entries(value).map(([key, each]) => [key, withoutZeros(each)] as const);
  return mapOf(entries.filter(([, each]) => !isZero(each)));
}

function isZero(value: JsonValue): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === 0 || value === "0" || value === "0s" || value === null;
}

test("any bytes are an object or refused, whatever is changed in them", () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 });
  fc.assert(
    fc.property(objects, changes, fc.nat(), ({ schema, object }, places, cut) => {
      const bytes = encodeObject(printedJson(readObject(schema, object).object));
      for (const [at, byte] of places) bytes[4 + (at % (bytes.length - 4))] = byte;
      const given = cut % 4 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes;
      expect(outcomeOf(given)).toMatch(EXPECTED);
    }),
    { numRuns: 400 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (tail) => {
      expect(outcomeOf(Buffer.concat([Buffer.from("k8s\0"), tail]))).toMatch(EXPECTED);
      expect(outcomeOf(envelope("v1", "Pod", tail))).toMatch(EXPECTED);
    }),
    { numRuns: 400 },
  );
});

const EXPECTED = /^(?:read|refused)$/;

function outcomeOf(bytes: Uint8Array): string {
  try {
    const { kind } = decodeObject(bytes, { kind: "Pod", apiVersion: "v1" });
    return typeof kind === "string" ? "read" : "read without a kind";
  } catch (error) {
    return error instanceof ProtobufError ? "refused" : String(error);
  }
}

function envelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const type = Buffer.concat([piece(1, Buffer.from(apiVersion)), piece(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from("k8s\0"), piece(1, type), piece(2, raw)]);
}

/** A field of bytes. */
function piece(number: number, content: Uint8Array): Buffer {
  const length: number[] = [];
  let rest = content.length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) length.push((rest % 0x80) + 0x80);
  return Buffer.concat([Buffer.of(number * 8 + 2, ...length, rest), content]);
}

/** What kube-apiserver 1.36.3 says of these contents of a ConfigMap. */
const refused: readonly (readonly [what: string, hex: string, message: string])[] = [
  ["a wrong wire type", "0801", "proto: wrong wireType = 0 for field ObjectMeta"],
  ["an end in the middle", "0a7f", "unexpected EOF"],
  ["the end of a group", "0c", "proto: ConfigMap: wiretype end group for non-group"],
  ["no number", "02", "proto: ConfigMap: illegal tag 0 (wire type 2)"],
  ["an overlong varint", "ffffffffffffffffffff01", "proto: integer overflow"],
  [
    "a negative length",
    "0affffffffffffffffff01",
    "proto: negative length found during unmarshaling",
  ],
  ["an endless length", "0affffffffffffffff7f", "proto: negative length found during unmarshaling"],
];

test.for(refused)("%s in an object is refused in Go's words", ([, hex, message]) => {
  const bytes = envelope("v1", "ConfigMap", Buffer.from(hex, "hex"));
  const type = { kind: "ConfigMap", apiVersion: "v1" };
  expect(() => decodeObject(bytes, type)).toThrow(
    expect.objectContaining({ code: "protobuf-malformed", message, type }),
  );
});

test.for([
  ["", "empty data"],
  [
    "68656c6c6f",
    "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
  ],
  ["6b387300", "empty body"],
  ["6b3873000a", "unexpected EOF"],
  ["6b3873000801", "proto: wrong wireType = 0 for field TypeMeta"],
] as const)("the envelope %s is refused in Go's words", ([hex, message]) => {
  expect(() => decodeObject(Buffer.from(hex, "hex"), { kind: "Pod", apiVersion: "v1" })).toThrow(
    expect.objectContaining({ message, type: undefined }),
  );
});

test("fields and groups that nobody knows are passed over, and the last of a scalar counts", () => {
  const name = (text: string): Buffer => piece(1, Buffer.from(text));
  const unknown = [
    Buffer.from("f83f01", "hex"), // 1023: varint
    Buffer.from("f93f0102030405060708", "hex"), // eight bytes
    Buffer.from("fd3f01020304", "hex"), // four bytes
    Buffer.from("fa3f02abcd", "hex"), // bytes
    Buffer.from("fb3ffb3f0801fc3ffc3f", "hex"), // a group in a group
  ];
  const metadata = Buffer.concat([name("a"), ...unknown, name("b")]);
  const content = Buffer.concat([
    piece(1, metadata),
    ...unknown,
    piece(1, piece(3, Buffer.from("n"))),
  ]);
  const decoded = decodeObject(envelope("", "", content), { kind: "ConfigMap", apiVersion: "v1" });
  expect(decoded).toEqual({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "b", namespace: "n" },
  });
});

test("a field whose number is a known one and 2^29 is not that one", () => {
  const content = Buffer.from("8a808080100161", "hex");
  const decoded = decodeObject(envelope("v1", "ConfigMap", content), {
    kind: "",
    apiVersion: "",
  });
  expect(decoded).toEqual({ kind: "ConfigMap", apiVersion: "v1" });
});

/** A definition whose schema is the `not` of one that is the `not` of one, and so on. */
function definitionOf(depth: number): Uint8Array {
  const writer = new WireWriter(64);
  for (let level = 0; level < depth; level++) {
    writer.varint(writer.size);
    writer.bytes(Buffer.from([0xe2, 0x01]));
  }
  const version = piece(4, piece(1, writer.take()));
  const content = piece(2, piece(7, version));
  return envelope("apiextensions.k8s.io/v1", "CustomResourceDefinition", content);
}

test("schemas in schemas are read as deep as anybody writes them, and not deeper", () => {
  const type = { kind: "", apiVersion: "" };
  const decoded = decodeObject(definitionOf(900), type);
  expect(JSON.stringify(decoded).match(/"not"/g)).toHaveLength(900);
  expect(() => decodeObject(definitionOf(500_000), type)).toThrow("exceeded max depth");
});

test("the kinds of the options are those of every version", () => {
  const grace = Buffer.from("0805", "hex");
  const bytes = envelope("apps/v1", "DeleteOptions", grace);
  expect(decodeObject(bytes, { kind: "DeleteOptions", apiVersion: "v1" })).toEqual({
    kind: "DeleteOptions",
    apiVersion: "apps/v1",
    gracePeriodSeconds: 5,
  });
});

test("of a kind that does not exist there is the kind", () => {
  const bytes = envelope("v1", "Nope", Buffer.from("0801", "hex"));
  expect(decodeObject(bytes, { kind: "Pod", apiVersion: "v1" })).toEqual({
    kind: "Nope",
    apiVersion: "v1",
  });
});

test("what is no JSON in a field of JSON is refused", () => {
  const content = piece(2, piece(1, Buffer.from("{no")));
  const bytes = envelope("apps/v1", "ControllerRevision", content);
  expect(() => decodeObject(bytes, { kind: "", apiVersion: "" })).toThrow(
    "invalid character 'n' looking for beginning of object key string",
  );
});
