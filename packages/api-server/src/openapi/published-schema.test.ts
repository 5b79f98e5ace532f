import type { JsonObject } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { publishObjectSchema } from "./published-schema.ts";

const objectMeta = { $ref: "#/meta" };

function publish(spec: JSONSchemaProps, openApi: 2 | 3): JsonObject {
  const schema = publishObjectSchema(
    { type: "object", properties: { spec } },
    { openApi, objectMeta },
  );
  return (schema["properties"] as JsonObject)["spec"] as JsonObject;
}

const CONVENTIONS =
  "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

test("an object has its metadata, whatever its definition says of them, described as everywhere", () => {
  const metadata = { type: "object", properties: { name: { type: "string", maxLength: 3 } } };
  const props: JSONSchemaProps = { type: "object", properties: { metadata } };
  for (const openApi of [2, 3] as const) {
    const { properties } = publishObjectSchema(props, { openApi, objectMeta });
    expect(properties).toEqual({
      apiVersion: {
        description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${CONVENTIONS}#resources`,
        type: "string",
      },
      kind: {
        description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
        type: "string",
      },
      metadata: {
        description: `Standard object's metadata. More info: ${CONVENTIONS}#metadata`,
        ...(openApi === 2 ? objectMeta : { allOf: [objectMeta] }),
      },
    });
  }
});

test("what says nothing is left out, a default of nothing is not", () => {
  const spec: JSONSchemaProps = {
    type: "string",
    title: "",
    nullable: false,
    enum: [],
    minLength: 0,
    default: "",
  };
  expect(publish(spec, 3)).toEqual({ type: "string", minLength: 0, default: "" });
  expect(publish(spec, 2)).toEqual({ type: "string", minLength: 0 });
});

test("an integer or a string is said in full, once", () => {
  const both = [{ type: "integer" }, { type: "string" }];
  const short: JSONSchemaProps = { "x-kubernetes-int-or-string": true };
  expect(publish(short, 3)["anyOf"]).toEqual(both);
  expect(publish({ ...short, anyOf: both }, 3)["anyOf"]).toEqual(both);
  const other = publish({ ...short, anyOf: [{ maximum: 3 }] }, 3);
  expect(other["allOf"]).toEqual([{ anyOf: both }]);
  expect(other["anyOf"]).toEqual([{ maximum: 3 }]);
  expect(publish(short, 2)).toEqual({ "x-kubernetes-int-or-string": true });
});

test("OpenAPI 2 leaves open what it cannot say", () => {
  const maybe: JSONSchemaProps = { type: "array", nullable: true, items: { type: "string" } };
  const spec: JSONSchemaProps = {
    type: "object",
    required: ["maybe", "sure"],
    properties: {
      maybe,
      sure: { type: "string", oneOf: [{ minLength: 1 }] },
      free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  };
  expect(publish(spec, 2)).toEqual({
    type: "object",
    required: ["sure"],
    properties: {
      maybe: {},
      sure: { type: "string" },
      free: { "x-kubernetes-preserve-unknown-fields": true },
    },
  });
});

test("a field may have any name", () => {
  const names = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString"));
  fc.assert(
    fc.property(
      fc.uniqueArray(names),
      fc.constantFrom(2 as const, 3 as const),
      (fields, openApi) => {
        const properties = Object.fromEntries(fields.map((name) => [name, { type: "string" }]));
        const published = publish({ type: "object", properties }, openApi)["properties"];
        expect(Object.keys(published as JsonObject).sort()).toEqual([...fields].sort());
      },
    ),
  );
});
