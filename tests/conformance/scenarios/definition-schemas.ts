/** Structural schemas that are refused with their definition, or not. */
import type { JsonObject } from "@homeostat/object-model";
import type { Scenario } from "../scenario.ts";
import { definition, definitionOfSpec, judgedDefinitions } from "./sample-definitions.ts";

const schema = (openAPIV3Schema: JsonObject): JsonObject =>
  definition([{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }]);

export const definitionSchemas: readonly Scenario[] = [
  judgedDefinitions(
    "structural schemas: types",
    schema({}),
    schema({ type: "string" }),
    schema({ type: "object", properties: { spec: {} } }),
    schema({ type: "object", properties: { spec: { type: "unknown" } } }),
    schema({ type: "object", properties: { a: { type: "array" } } }),
    schema({ type: "object", properties: { a: { type: "array", items: {} } } }),
    schema({ type: "object", properties: { a: { type: "array", items: [{ type: "string" }] } } }),
    schema({ type: "object", properties: { a: { type: "object", additionalProperties: false } } }),
    schema({
      type: "object",
      properties: {
        a: { type: "object", additionalProperties: true, properties: { b: { type: "string" } } },
      },
    }),
    schema({
      type: "object",
      properties: {
        a: {
          type: "object",
          additionalProperties: { type: "string" },
          properties: { b: { type: "string" } },
        },
      },
    }),
    schema({ type: "object", additionalProperties: { type: "string" } }),
    schema({
      type: "object",
      properties: { a: { type: "string", nullable: true, default: null } },
    }),
    schema({ type: "object", properties: { a: { "x-kubernetes-int-or-string": true } } }),
    schema({
      type: "object",
      properties: { a: { "x-kubernetes-int-or-string": true, type: "string" } },
    }),
    schema({
      type: "object",
      properties: {
        a: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
      },
    }),
    schema({
      type: "object",
      properties: { a: { "x-kubernetes-preserve-unknown-fields": false } },
    }),
    schema({ type: "object", properties: { a: { "x-kubernetes-preserve-unknown-fields": true } } }),
    schema({
      type: "object",
      properties: { a: { type: "string", "x-kubernetes-preserve-unknown-fields": true } },
    }),
    schema({
      type: "object",
      properties: { a: { type: "object", "x-kubernetes-embedded-resource": true } },
    }),
    schema({
      type: "object",
      properties: { a: { type: "string", "x-kubernetes-embedded-resource": true } },
    }),
  ),
  judgedDefinitions(
    "structural schemas: logic and metadata",
    schema({
      type: "object",
      properties: { a: { type: "string" } },
      anyOf: [{ properties: { b: { type: "string" } } }],
    }),
    schema({
      type: "object",
      properties: { a: { type: "string" } },
      allOf: [{ properties: { a: { minLength: 1 } } }],
    }),
    schema({ type: "object", properties: { a: { type: "string" } }, not: { required: ["a"] } }),
    schema({
      type: "object",
      properties: { a: { type: "string" } },
      oneOf: [{ required: ["a"], description: "x" }],
    }),
    schema({
      type: "object",
      properties: { a: { type: "integer" } },
      anyOf: [{ properties: { a: { default: 1 } } }],
    }),
    schema({
      type: "object",
      properties: { a: { type: "integer" } },
      anyOf: [{ properties: { a: { nullable: true } } }],
    }),
    schema({ type: "object", properties: { metadata: { type: "object" } } }),
    schema({
      type: "object",
      properties: {
        metadata: { type: "object", properties: { name: { type: "string", pattern: "^a" } } },
      },
    }),
    schema({
      type: "object",
      properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
    }),
    schema({ type: "object", properties: { metadata: { type: "string" } } }),
    schema({
      type: "object",
      properties: { apiVersion: { type: "integer" }, kind: { type: "string", minLength: 1 } },
    }),
    schema({ type: "object", properties: { a: { $ref: "#/definitions/x" } } }),
    schema({ type: "object", definitions: { x: { type: "string" } } }),
    schema({ type: "object", dependencies: { a: ["b"] } }),
    schema({ type: "object", id: "x", $schema: "https://example.com" }),
    schema({ type: "object", patternProperties: { a: { type: "string" } } }),
    schema({
      type: "object",
      properties: { a: { type: "array", items: { type: "string" }, uniqueItems: true } },
    }),
    schema({
      type: "object",
      properties: {
        a: { type: "array", items: { type: "string" }, additionalItems: { type: "string" } },
      },
    }),
    schema({
      type: "object",
      properties: {
        a: { type: "string", externalDocs: { url: "https://example.com" }, example: 1, title: "t" },
      },
    }),
  ),
  judgedDefinitions(
    "structural schemas: values and defaults",
    definitionOfSpec({ a: { type: "integer", minimum: 5, maximum: 1, multipleOf: 0 } }),
    definitionOfSpec({ a: { type: "string", minLength: -1, maxLength: -2, pattern: "(" } }),
    definitionOfSpec({ a: { type: "string", pattern: "(?=x)" } }),
    definitionOfSpec({ a: { type: "string", format: "unknown" } }),
    definitionOfSpec({ a: { type: "string", enum: [] } }),
    definitionOfSpec({ a: { type: "string", enum: ["a", "a"] } }),
    definitionOfSpec({ a: { type: "integer", enum: ["a"], default: 3 } }),
    definitionOfSpec({ a: { type: "integer", default: "x" } }),
    definitionOfSpec({ a: { type: "integer", maximum: 3, default: 4 } }),
    definitionOfSpec({
      a: { type: "object", properties: { b: { type: "string" } }, default: { b: "x", c: 1 } },
    }),
    definitionOfSpec({
      a: { type: "object", properties: { b: { type: "string" } }, required: ["b"], default: {} },
    }),
    definitionOfSpec({ a: { type: "string", default: null } }),
    definitionOfSpec({ a: { type: "array", items: { type: "integer", default: 1 }, default: [] } }),
    schema({ type: "object", default: {}, properties: { spec: { type: "object" } } }),
    schema({ type: "object", properties: { metadata: { type: "object", default: {} } } }),
    definitionOfSpec({ a: { type: "string", minItems: 1, required: ["x"], minProperties: 1 } }),
  ),
  judgedDefinitions(
    "structural schemas: list and map types",
    definitionOfSpec({
      a: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    }),
    definitionOfSpec({
      a: { type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } },
    }),
    definitionOfSpec({
      a: {
        type: "array",
        "x-kubernetes-list-type": "set",
        items: { type: "object", "x-kubernetes-map-type": "atomic" },
      },
    }),
    definitionOfSpec({
      a: {
        type: "array",
        "x-kubernetes-list-type": "set",
        items: { type: "string", nullable: true },
      },
    }),
    definitionOfSpec({
      a: { type: "array", "x-kubernetes-list-type": "map", items: { type: "object" } },
    }),
    definitionOfSpec({
      a: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object" },
      },
    }),
    definitionOfSpec({
      a: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string" } } },
      },
    }),
    definitionOfSpec({
      a: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k", "k"],
        items: { type: "object", required: ["k"], properties: { k: { type: "object" } } },
      },
    }),
    definitionOfSpec({
      a: {
        type: "array",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
      },
    }),
    definitionOfSpec({
      a: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string", default: "x" } } },
      },
    }),
    definitionOfSpec({
      a: { type: "array", "x-kubernetes-list-type": "bag", items: { type: "string" } },
    }),
    definitionOfSpec({ a: { type: "string", "x-kubernetes-list-type": "set" } }),
    definitionOfSpec({ a: { type: "object", "x-kubernetes-map-type": "atomic" } }),
    definitionOfSpec({ a: { type: "object", "x-kubernetes-map-type": "loose" } }),
    definitionOfSpec({ a: { type: "string", "x-kubernetes-map-type": "atomic" } }),
  ),
];
