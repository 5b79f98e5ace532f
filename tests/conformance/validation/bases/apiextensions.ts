import type { CustomResourceDefinition } from "@homeostat/object-model/apiextensions-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const group = "probes.example.com";
const open = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };

const variants = {
  plain: {
    metadata: { name: `plains.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "plains", kind: "Plain" },
      versions: [{ name: "v1", served: true, storage: true, schema: open }],
    },
  },
  full: {
    metadata: { name: `fulls.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: {
        plural: "fulls",
        singular: "full",
        kind: "Full",
        listKind: "FullList",
        shortNames: ["fl"],
        categories: ["all"],
      },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: {
              specReplicasPath: ".spec.replicas",
              statusReplicasPath: ".status.replicas",
              labelSelectorPath: ".status.selector",
            },
          },
          additionalPrinterColumns: [
            {
              name: "Replicas",
              type: "integer",
              format: "int32",
              description: "How many",
              priority: 1,
              jsonPath: ".spec.replicas",
            },
          ],
          selectableFields: [{ jsonPath: ".spec.color" }],
          schema: {
            openAPIV3Schema: {
              type: "object",
              description: "Everything",
              required: ["spec"],
              properties: {
                spec: {
                  type: "object",
                  properties: {
                    replicas: {
                      type: "integer",
                      format: "int32",
                      minimum: 0,
                      maximum: 10,
                      multipleOf: 1,
                      default: 1,
                      nullable: true,
                    },
                    color: {
                      type: "string",
                      minLength: 1,
                      maxLength: 20,
                      pattern: "^[a-z]+$",
                      enum: ["red", "green"],
                      default: "red",
                    },
                    items: {
                      type: "array",
                      minItems: 0,
                      maxItems: 5,
                      "x-kubernetes-list-type": "map",
                      "x-kubernetes-list-map-keys": ["name"],
                      items: {
                        type: "object",
                        required: ["name"],
                        properties: { name: { type: "string", maxLength: 10 } },
                      },
                    },
                    tags: {
                      type: "object",
                      maxProperties: 5,
                      additionalProperties: { type: "string", maxLength: 10 },
                      "x-kubernetes-map-type": "granular",
                    },
                    port: { "x-kubernetes-int-or-string": true },
                    embedded: {
                      type: "object",
                      "x-kubernetes-embedded-resource": true,
                      "x-kubernetes-preserve-unknown-fields": true,
                    },
                    choice: {
                      type: "string",
                      maxLength: 10,
                      anyOf: [{ minLength: 1 }, { pattern: "^a" }],
                      not: { enum: ["b"] },
                    },
                  },
                },
                status: {
                  type: "object",
                  properties: { replicas: { type: "integer" }, selector: { type: "string" } },
                },
              },
            },
          },
        },
        {
          name: "v1beta1",
          served: false,
          storage: false,
          deprecated: true,
          deprecationWarning: "use v1",
          schema: open,
        },
      ],
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1"],
          clientConfig: {
            service: { namespace: "probes", name: "convert", path: "/c", port: 8443 },
          },
        },
      },
    },
    status: {
      acceptedNames: { plural: "fulls", singular: "full", kind: "Full", listKind: "FullList" },
      storedVersions: ["v1"],
      conditions: [
        {
          type: "Established",
          status: "True",
          lastTransitionTime: "2020-01-01T00:00:00Z",
          reason: "InitialNamesAccepted",
          message: "x",
        },
      ],
    },
  },
  rules: {
    metadata: { name: `rules.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "rules", kind: "Rule" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  properties: {
                    size: { type: "integer" },
                    color: { type: "string", maxLength: 9 },
                  },
                  "x-kubernetes-validations": [
                    {
                      rule: "self.size <= 5",
                      message: "too many",
                      messageExpression: "'at most 5'",
                      reason: "FieldValueInvalid",
                      fieldPath: ".size",
                    },
                    { rule: "self.color == oldSelf.color", optionalOldSelf: false },
                  ],
                },
              },
            },
          },
        },
      ],
    },
  },
} satisfies Variants<CustomResourceDefinition>;

const schema = "spec.versions[0].schema.openAPIV3Schema";
const properties = `${schema}.properties.spec.properties`;

export const extensionKinds: readonly ProbedKind[] = [
  {
    name: "customresourcedefinitions",
    group: "apiextensions.k8s.io",
    version: "v1",
    plural: "customresourcedefinitions",
    variants,
    sparsely: [
      `${properties}.replicas`,
      `${properties}.items`,
      `${properties}.tags`,
      `${properties}.port`,
      `${properties}.embedded`,
      `${properties}.choice`,
      `${properties}.size`,
      `${schema}.properties.status`,
      "spec.versions[1].schema",
    ],
  },
];
