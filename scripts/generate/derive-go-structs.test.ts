import { expect, test } from "vitest";
import type { ReflectedField, ReflectedStructs } from "./derive-go-structs.ts";
import { deriveGoStructs } from "./derive-go-structs.ts";
import type { GoStruct } from "./go-structs.ts";
import type { OpenApiSchema, ProtobufField } from "./read-input.ts";

interface Made {
  /** Go type without the leading `k8s.io/api/`. */
  readonly structs: Readonly<Record<string, readonly ReflectedField[]>>;
  /** Without the leading `io.k8s.api.`. */
  readonly schemas?: Readonly<Record<string, OpenApiSchema>>;
  /** Without the leading `k8s.io.api.`; fields in the order of their numbers, which start at 1. */
  readonly protobuf?: Readonly<Record<string, readonly ProtobufField[]>>;
}

function derive({ structs, schemas = {}, protobuf = {} }: Made): Record<string, GoStruct> {
  const reflected: ReflectedStructs = Object.fromEntries(
    Object.entries(structs).map(([name, fields]) => [`k8s.io/api/${name}`, fields]),
  );
  const input = {
    schemas: new Map(
      Object.entries(schemas).map(([name, schema]) => [`io.k8s.api.${name}`, schema]),
    ),
    protobuf: new Map(
      Object.entries(protobuf).map(([name, fields]) => [
        `k8s.io.api.${name}`,
        new Map(fields.map((field, index) => [index + 1, field])),
      ]),
    ),
  };
  return Object.fromEntries(deriveGoStructs(reflected, input));
}

interface FieldInput {
  readonly type?: string;
  readonly shape?: readonly string[];
  readonly schema?: OpenApiSchema;
}

/** One field of `core.v1.Gadget`, which OpenAPI publishes, with the struct type `core.v1.Part` beside it. */
function deriveGadget(
  field: ReflectedField,
  { type = "string", shape = [], schema = {} }: FieldInput = {},
): GoStruct | undefined {
  const derived = derive({
    structs: { "core/v1.Gadget": [field], "core/v1.Part": [] },
    schemas: { "core.v1.Gadget": schema, "core.v1.Part": {} },
    protobuf: { "core.v1.Gadget": [[field.name, type, ...shape]], "core.v1.Part": [] },
  });
  return derived["core.v1.Gadget"];
}

const part = "k8s.io.api.core.v1.Part";
const partRef = { $ref: "#/components/schemas/io.k8s.api.core.v1.Part" };

test("a struct that is as OpenAPI and protobuf let expect has no entry", () => {
  const field = { name: "size", number: 1, kind: "string" };
  expect(deriveGadget({ ...field, omitEmpty: true })).toBeUndefined();
  expect(deriveGadget(field, { schema: { required: ["size"] } })).toBeUndefined();
});

test("a pointer to a scalar is told, one to a struct is not", () => {
  const field = { name: "size", number: 1, kind: "ptr", omitEmpty: true };
  expect(deriveGadget(field)).toEqual({ pointers: "size" });
  expect(deriveGadget(field, { type: part })).toBeUndefined();
});

test("a struct value is told where OpenAPI declares no default", () => {
  const field = { name: "part", number: 1, kind: "struct", omitEmpty: true };
  expect(deriveGadget(field, { type: part })).toEqual({ values: "part" });
  const schema = { properties: { part: { allOf: [partRef], default: {} } } };
  expect(deriveGadget(field, { type: part, schema })).toBeUndefined();
});

test("omitzero leaves out a struct value, omitempty does not", () => {
  const field = { name: "part", number: 1, kind: "struct" };
  const options = {
    type: part,
    schema: { properties: { part: { allOf: [partRef], default: {} } } },
  };
  expect(deriveGadget({ ...field, omitEmpty: true }, options)).toBeUndefined();
  expect(deriveGadget({ ...field, omitZero: true }, options)).toEqual({ omitted: "part" });
});

test("a list that is one message on the wire is left out by omitempty", () => {
  const field = { name: "verbs", number: 1, kind: "slice" };
  expect(deriveGadget(field, { type: part })).toEqual({ values: "verbs" });
  expect(deriveGadget({ ...field, omitEmpty: true }, { type: part })).toEqual({
    values: "verbs",
    omitted: "verbs",
  });
});

test("printing is told where it differs from being required", () => {
  const field = { name: "ports", number: 1, kind: "slice" };
  const shape = ["repeated"];
  expect(deriveGadget(field, { type: part, shape })).toEqual({ printed: "ports" });
  expect(
    deriveGadget({ ...field, omitEmpty: true }, { shape, schema: { required: ["ports"] } }),
  ).toEqual({ omitted: "ports" });
});

test("struct order is told where it is not that of the numbers, embedded structs by type", () => {
  const embedded: ReflectedField = {
    name: "",
    embeds: "k8s.io/api/core/v1.Part",
    number: 2,
    kind: "struct",
  };
  const size: ReflectedField = { name: "size", number: 1, kind: "string", omitEmpty: true };
  const made = (fields: readonly ReflectedField[]): Made => ({
    structs: { "core/v1.Gadget": fields, "core/v1.Part": [] },
    schemas: { "core.v1.Gadget": {} },
    protobuf: {
      "core.v1.Gadget": [
        ["size", "string"],
        ["part", part],
      ],
      "core.v1.Part": [],
    },
  });
  expect(derive(made([size, embedded]))).toEqual({});
  expect(derive(made([embedded, size]))).toEqual({ "core.v1.Gadget": { order: "Part size" } });
});

test("an embedded struct takes what is required from the schema around it", () => {
  const derived = derive({
    structs: {
      "core/v1.Gadget": [
        { name: "", embeds: "k8s.io/api/core/v1.Part", number: 1, kind: "struct" },
      ],
      "core/v1.Part": [
        { name: "size", number: 1, kind: "string" },
        { name: "since", number: 2, kind: "string" },
      ],
    },
    schemas: { "core.v1.Gadget": { required: ["size"] } },
    protobuf: {
      "core.v1.Gadget": [["part", part]],
      "core.v1.Part": [
        ["size", "string"],
        ["since", "string"],
      ],
    },
  });
  expect(derived).toEqual({ "core.v1.Part": { printed: "since" } });
});

test("of a message that OpenAPI does not publish Go tells what is required and whether it has a kind", () => {
  const derived = derive({
    structs: {
      "admission/v1.Review": [
        { name: "", embeds: "k8s.io/apimachinery/pkg/apis/meta/v1.TypeMeta", kind: "struct" },
        { name: "uid", number: 1, kind: "string" },
        { name: "dryRun", number: 2, kind: "ptr" },
        { name: "reason", number: 3, kind: "string", omitEmpty: true },
      ],
    },
    protobuf: {
      "admission.v1.Review": [
        ["uid", "string"],
        ["dryRun", "bool"],
        ["reason", "string"],
      ],
    },
  });
  expect(derived).toEqual({
    "admission.v1.Review": { pointers: "dryRun", printed: "dryRun", required: "uid", typed: true },
  });
});

test("a message that protobuf.json lacks gets its numbers from Go and its types from OpenAPI", () => {
  const derived = derive({
    structs: {
      "core/v1.Gadget": [
        { name: "part", number: 1, kind: "ptr", omitEmpty: true },
        { name: "ports", number: 3, kind: "slice", omitEmpty: true },
        { name: "size", number: 4, kind: "ptr", omitEmpty: true },
      ],
    },
    schemas: {
      "core.v1.Gadget": {
        properties: {
          part: partRef,
          ports: { type: "array", items: { type: "string" } },
          size: { type: "integer" },
        },
      },
    },
  });
  expect(derived).toEqual({
    "core.v1.Gadget": { pointers: "size", numbers: "part=1 ports=3 size=4" },
  });
});

test("entries are sorted by name, and structs that the input does not know are left out", () => {
  const pointer = [{ name: "size", number: 1, kind: "ptr", omitEmpty: true }];
  const derived = derive({
    structs: { "core/v1.B": pointer, "core/v1.Internal": pointer, "apps/v1.A": pointer },
    protobuf: { "core.v1.B": [["size", "int32"]], "apps.v1.A": [["size", "int32"]] },
  });
  expect(Object.keys(derived)).toEqual(["apps.v1.A", "core.v1.B"]);
});

test("a message with its own JSON encoding and one of the wire only need no Go struct", () => {
  const protobuf = new Map([
    ["k8s.io.apimachinery.pkg.apis.meta.v1.Verbs", new Map()],
    ["k8s.io.apimachinery.pkg.runtime.Unknown", new Map()],
    ["k8s.io.apimachinery.pkg.apis.testapigroup.v1.Carp", new Map()],
  ]);
  expect(deriveGoStructs({}, { schemas: new Map(), protobuf }).size).toBe(0);
});

test("messages that no Go struct was reflected for are named", () => {
  expect(() =>
    derive({ structs: {}, schemas: { "core.v1.Part": {} }, protobuf: { "apps.v1.Ghost": [] } }),
  ).toThrow("go-structs/main.go does not reach apps.v1.Ghost, core.v1.Part: add the group");
});

test("Go structs of another release than the input are refused", () => {
  expect(() =>
    derive({
      structs: { "core/v1.Gadget": [{ name: "size", number: 2, kind: "string" }] },
      protobuf: { "core.v1.Gadget": [["size", "string"]] },
    }),
  ).toThrow("core.v1.Gadget has the protobuf numbers 2 in Go but 1 in protobuf.json");
});

test("a default on a pointer to a struct is refused, since it would be read as a struct value", () => {
  const schema = { properties: { part: { allOf: [partRef], default: {} } } };
  expect(() =>
    deriveGadget({ name: "part", number: 1, kind: "ptr" }, { type: part, schema }),
  ).toThrow("core.v1.Gadget.part is a pointer in Go, but OpenAPI declares a default");
});
