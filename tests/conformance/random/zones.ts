import { number, type RandomDefinition, shortText } from "./random-definition.ts";

/** Of the cluster, with rules about what was before. */
export const zones: RandomDefinition = {
  plural: "zones",
  kind: "Zone",
  scope: "Cluster",
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
              required: ["capacity"],
              properties: {
                capacity: { ...number, minimum: 1 },
                parent: {
                  ...shortText,
                  "x-kubernetes-validations": [
                    { rule: "self == oldSelf", message: "parents do not change" },
                  ],
                },
                weights: { type: "array", items: number, "x-kubernetes-list-type": "set" },
              },
              "x-kubernetes-validations": [
                {
                  rule: "!oldSelf.hasValue() || self.capacity >= oldSelf.value().capacity",
                  optionalOldSelf: true,
                  messageExpression:
                    "'capacity shrinks' + (has(self.parent) ? ' in ' + self.parent : '')",
                },
              ],
            },
            status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
        },
      },
      subresources: { status: {} },
      selectableFields: [{ jsonPath: ".spec.parent" }],
    },
  ],
  subresources: ["status"],
  sample: { spec: { capacity: 2 } },
  changes: [
    { spec: { capacity: 3 } },
    { spec: { capacity: 1 } },
    { spec: { capacity: null } },
    { spec: { capacity: 0, parent: "p" } },
    { spec: { parent: "p" } },
    { spec: { parent: "q" } },
    { spec: { weights: [1, 2] } },
    { spec: { weights: [2, 3] } },
    { spec: { weights: [2, 2] } },
    { spec: { weights: [1.5] } },
    { status: { anything: { a: [1] } } },
    { status: { anything: null, b: true } },
  ],
};
