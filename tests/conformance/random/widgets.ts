import type { JsonObject } from "@homeostat/object-model";
import { number, type RandomDefinition, shortText, text } from "./random-definition.ts";

const widgetSpec = (more: JsonObject): JsonObject => ({
  type: "object",
  properties: {
    replicas: { ...number, minimum: 0, maximum: 9, default: 1 },
    image: { ...shortText, pattern: "^[a-z]+(:[0-9]+)?$" },
    color: {
      ...text,
      enum: ["red", "green", "blue"],
      "x-kubernetes-validations": [
        { rule: "self == oldSelf || oldSelf != 'blue'", message: "blue stays blue" },
      ],
    },
    size: number,
    note: { ...text, nullable: true },
    kept: { ...text, nullable: true, default: "kept" },
    atomic: { type: "array", items: text },
    set: { type: "array", items: shortText, maxItems: 5, "x-kubernetes-list-type": "set" },
    map: {
      type: "array",
      maxItems: 5,
      items: {
        type: "object",
        required: ["name"],
        properties: {
          name: shortText,
          port: { ...number, default: 80 },
          value: { ...text, default: "v" },
        },
        "x-kubernetes-validations": [
          {
            rule: "self.port > 0 && self.port < 1000",
            messageExpression: "'the port of ' + self.name",
          },
        ],
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name", "port"],
    },
    texts: { type: "object", maxProperties: 3, additionalProperties: shortText },
    whole: {
      type: "object",
      "x-kubernetes-map-type": "atomic",
      properties: { a: text, b: number },
    },
    port: { "x-kubernetes-int-or-string": true },
    options: {
      type: "object",
      default: {},
      properties: {
        mode: { ...text, default: "auto" },
        level: { type: "number", multipleOf: 0.5, exclusiveMinimum: true, minimum: 0 },
      },
    },
    ...more,
  },
  "x-kubernetes-validations": [
    {
      rule: "self.replicas <= 5 || has(self.image)",
      message: "many replicas need an image",
      reason: "FieldValueRequired",
      fieldPath: ".image",
    },
    { rule: "!has(oldSelf.size) || has(self.size)", message: "a size is never taken away" },
    {
      rule: "!has(self.set) || self.set.all(each, each.size() < 8)",
      messageExpression: "'too long: ' + self.set[0]",
    },
  ],
});

const condition = {
  type: "object",
  required: ["type"],
  properties: { type: shortText, status: { ...text, enum: ["True", "False"] } },
};
const widgetStatus = {
  type: "object",
  properties: {
    replicas: number,
    selector: text,
    phase: { ...text, enum: ["New", "Done"], default: "New" },
    conditions: {
      type: "array",
      items: condition,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
    },
  },
};
const widgetVersion = (name: string, more: JsonObject): JsonObject & { name: string } => ({
  name,
  served: true,
  storage: name === "v1",
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: widgetSpec(more), status: widgetStatus },
    },
  },
  subresources: {
    status: {},
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.selector",
    },
  },
  // Not the same in both: kube-apiserver takes that for the old form, in which schemas are the same too.
  selectableFields: [
    { jsonPath: ".spec.color" },
    ...(name === "v1" ? [{ jsonPath: ".spec.size" }] : []),
  ],
});

/** Most of what schemas can say about lists, maps and rules, in two versions. */
export const widgets: RandomDefinition = {
  plural: "widgets",
  kind: "Widget",
  scope: "Namespaced",
  versions: [widgetVersion("v1", {}), widgetVersion("v2", { extra: { ...text, default: "new" } })],
  subresources: ["status", "scale"],
  sample: { spec: { image: "app:1", color: "red", map: [{ name: "a" }] } },
  changes: [
    { spec: { replicas: 3 } },
    { spec: { replicas: 7 } },
    { spec: { replicas: 12 } },
    { spec: { replicas: null, image: null } },
    { spec: { image: "App" } },
    { spec: { color: "blue" } },
    { spec: { color: "green" } },
    { spec: { color: "pink", size: 1.5 } },
    { spec: { size: 1 } },
    { spec: { size: null } },
    { spec: { size: 2, note: "n" } },
    { spec: { kept: null, note: null } },
    { spec: { atomic: ["x", "y", "x"] } },
    { spec: { set: ["x", "y"] } },
    { spec: { set: ["z", "x"] } },
    { spec: { set: ["x", "x", "muchtoolong"] } },
    { spec: { map: [{ name: "a", value: "w" }, { name: "b" }] } },
    {
      spec: {
        map: [
          { name: "b", port: 81 },
          { name: "a", port: 81, unknown: 1 },
        ],
      },
    },
    { spec: { map: [{ name: "a" }, { name: "a", port: 80 }] } },
    { spec: { map: [{ name: "c", port: 1000 }, { port: 1 }] } },
    { spec: { texts: { a: "1", constructor: "c" } } },
    { spec: { texts: { a: "2", b: "", c: "c", d: "d" } } },
    { spec: { texts: { b: 5 } } },
    { spec: { whole: { a: "1" } } },
    { spec: { whole: { b: 2 } } },
    { spec: { port: "http" } },
    { spec: { port: 80 } },
    { spec: { options: { level: 1.5 } } },
    { spec: { options: { mode: "hand", level: 0.3 } } },
    { spec: { options: { unknown: true } } },
    { spec: { extra: "x" } },
    { spec: { unknown: { deep: 1 } }, other: 1 },
    { spec: null },
    { status: { replicas: 2, selector: "app=a" } },
    { status: { conditions: [{ type: "Ready", status: "True" }] } },
    { status: { conditions: [{ type: "Ready", status: "False" }, { type: "Old" }] } },
    { status: { phase: "Nowhere" } },
  ],
};
