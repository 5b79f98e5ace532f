/** Custom resources whose documents are compared: everything that a schema can say, once. */
import type { JsonObject } from "@homeostat/object-model";

const group = "openapi.example.com";
const text: JsonObject = { type: "string" };

const widgetSpec: JsonObject = {
  type: "object",
  description: "What it should be.",
  required: ["color", "maybe"],
  properties: {
    color: { type: "string", enum: ["red", "green"], default: "red", description: "Its color." },
    replicas: { type: "integer", format: "int32", minimum: 0, maximum: 10 },
    ratio: { type: "number", minimum: 0, exclusiveMinimum: true, multipleOf: 2 },
    port: { "x-kubernetes-int-or-string": true },
    namedPort: {
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
      pattern: "^a",
    },
    oddPort: {
      "x-kubernetes-int-or-string": true,
      allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { maxLength: 5 }],
    },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    open: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { known: text },
    },
    any: { "x-kubernetes-preserve-unknown-fields": true },
    template: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
    part: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      required: ["spec"],
      properties: { spec: { type: "object", properties: { a: text } } },
    },
    maybe: { type: "string", nullable: true },
    maybeList: { type: "array", nullable: true, items: text },
    list: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: text, count: { type: "integer", default: 3 } },
      },
    },
    set: {
      type: "array",
      "x-kubernetes-list-type": "set",
      items: text,
      maxItems: 5,
      minItems: 1,
    },
    map: {
      type: "object",
      additionalProperties: text,
      "x-kubernetes-map-type": "atomic",
      maxProperties: 3,
      minProperties: 0,
    },
    nothingElse: { type: "object", additionalProperties: { type: "integer", nullable: true } },
    when: { type: "string", format: "date-time" },
    email: { type: "string", pattern: "^.+@.+$", maxLength: 20, minLength: 0 },
    logic: {
      type: "object",
      properties: { a: text, b: text },
      oneOf: [{ required: ["a"] }, { required: ["b"], properties: { b: { minLength: 2 } } }],
      not: { required: ["a", "b"] },
    },
    documented: {
      type: "string",
      title: "Documented",
      example: { $ref: "an example, no reference" },
      externalDocs: { url: "https://example.com", description: "more" },
    },
    ruled: {
      type: "integer",
      "x-kubernetes-validations": [{ rule: "self > 1", message: "too small" }],
    },
    constructor: text,
  },
};

const widgets: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: {
      plural: "widgets",
      singular: "widget",
      kind: "Widget",
      listKind: "WidgetList",
      shortNames: ["wd"],
      categories: ["all", "things"],
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        selectableFields: [{ jsonPath: ".spec.color" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            description: "A Widget.",
            required: ["spec"],
            properties: {
              spec: widgetSpec,
              status: { type: "object", properties: { replicas: { type: "integer" } } },
            },
          },
        },
      },
      {
        name: "v1beta1",
        served: true,
        storage: false,
        deprecated: true,
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
      {
        name: "v1alpha1",
        served: false,
        storage: false,
        schema: { openAPIV3Schema: { type: "object" } },
      },
    ],
  },
};

const hubs: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `hubs.${group}` },
  spec: {
    group,
    scope: "Cluster",
    names: { plural: "hubs", kind: "Hub" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              metadata: { type: "object", properties: { name: { type: "string", maxLength: 10 } } },
              spec: { type: "object", properties: { size: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
};

export const definitions: readonly JsonObject[] = [widgets, hubs];

/** The schemas that documents have once all definitions are published. */
export const publishedSchemas: readonly string[] = [
  "com.example.openapi.v1.Widget",
  "com.example.openapi.v1.Hub",
];
