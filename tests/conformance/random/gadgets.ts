import { number, type RandomDefinition, text } from "./random-definition.ts";

/** Loose, embedded and formatted values; no subresources. */
export const gadgets: RandomDefinition = {
  plural: "gadgets",
  kind: "Gadget",
  scope: "Namespaced",
  versions: [
    {
      name: "v1",
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: {
          type: "object",
          required: ["spec"],
          properties: {
            spec: {
              type: "object",
              properties: {
                free: {
                  type: "object",
                  "x-kubernetes-preserve-unknown-fields": true,
                  properties: { known: number },
                },
                any: { "x-kubernetes-preserve-unknown-fields": true },
                template: {
                  type: "object",
                  "x-kubernetes-embedded-resource": true,
                  "x-kubernetes-preserve-unknown-fields": true,
                },
                when: { ...text, format: "date-time" },
                day: { ...text, format: "date" },
                bytes: { ...text, format: "byte" },
                small: { ...number, format: "int32" },
                either: {
                  type: "object",
                  properties: { a: text, b: text },
                  oneOf: [{ required: ["a"] }, { required: ["b"] }],
                },
                nested: {
                  type: "object",
                  nullable: true,
                  required: ["name"],
                  properties: { name: { ...text, minLength: 1 }, on: { type: "boolean" } },
                },
                pairs: {
                  type: "object",
                  additionalProperties: {
                    type: "object",
                    properties: { value: { ...number, default: 3 }, on: { type: "boolean" } },
                  },
                },
              },
            },
            status: { type: "object", properties: { seen: number } },
          },
          "x-kubernetes-validations": [
            {
              rule: "self.metadata.name != 'c' || !has(self.spec.nested)",
              message: "c has nothing nested",
            },
          ],
        },
      },
    },
  ],
  subresources: [],
  sample: { spec: { free: { known: 1, more: ["x"] }, pairs: { one: {} } } },
  changes: [
    { spec: { free: { known: 2, other: { deep: null } } } },
    { spec: { free: { known: "2", constructor: "c" } } },
    { spec: { free: null } },
    { spec: { any: [1, { a: null }, "x"] } },
    { spec: { any: { a: { b: 1 } } } },
    { spec: { any: 5 } },
    {
      spec: {
        template: { apiVersion: "v1", kind: "Pod", metadata: { name: "p", labels: { a: "b" } } },
      },
    },
    { spec: { template: { apiVersion: "v1", kind: "Pod", metadata: { name: 5, unknown: 1 } } } },
    { spec: { template: { kind: "Pod", spec: { x: [] } } } },
    { spec: { when: "2021-02-03T04:05:06Z", day: "2021-02-03" } },
    { spec: { when: "yesterday", day: "2021-02-30" } },
    { spec: { bytes: "AAEC" } },
    { spec: { bytes: "?" } },
    { spec: { small: 2147483648 } },
    { spec: { small: 7 } },
    { spec: { either: { a: "1" } } },
    { spec: { either: { b: "1" } } },
    { spec: { either: { a: null, b: null } } },
    { spec: { nested: { name: "n" } } },
    { spec: { nested: { name: "", on: "yes" } } },
    { spec: { nested: null } },
    { spec: { pairs: { one: { value: 4 }, two: { on: true } } } },
    { spec: { pairs: { "x.y/z": {}, two: null } } },
    { spec: { pairs: { one: { unknown: 1 }, three: 3 } } },
    { spec: null },
    { status: { seen: 1 } },
  ],
};
