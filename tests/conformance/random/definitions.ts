/**
 * The definitions of custom resources that random requests meet: one with most of what schemas can say
 * about lists, maps and rules in two versions, one of loose and embedded values, one of the cluster.
 * Objects made of the pools beside each are right about as often as not.
 */
import type { JsonObject } from "@homeostat/object-model";
import { as, get, patch, post, type Step, settle, watch } from "../scenario.ts";
import { CRDS } from "../scenarios/sample-definitions.ts";

export interface RandomDefinition {
  readonly plural: string;
  readonly kind: string;
  readonly scope: "Namespaced" | "Cluster";
  /** The first is stored. */
  readonly versions: readonly (JsonObject & { readonly name: string })[];
  readonly subresources: readonly string[];
  readonly sample: JsonObject;
  /** Changes that make sense, or nearly; `null` removes. */
  readonly changes: readonly JsonObject[];
}

/** All sequences share these; who changes a definition has the group of its own namespace. */
export const sharedGroup = "random.example.com";

const text = { type: "string" };
const number = { type: "integer" };
const shortText = { ...text, maxLength: 20 };

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

export const sharedDefinitions: readonly RandomDefinition[] = [widgets, gadgets, zones];

/** Creates a definition and waits until kube-apiserver serves it. */
export function install(definition: RandomDefinition, group: string): readonly Step[] {
  const { plural, kind, scope, versions } = definition;
  const name = `${plural}.${group}`;
  return [
    as(
      `definition of ${plural}`,
      post(CRDS, {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name },
        spec: {
          group,
          names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
          scope,
          versions: [...versions],
        },
      }),
    ),
    as(
      `${plural} established`,
      watch(CRDS, {
        query: {
          resourceVersion: `\${definition of ${plural}:rv}`,
          fieldSelector: `metadata.name=${name}`,
        },
        until: { events: 2 },
      }),
    ),
    settle(),
    ...warmUp(definition, group),
  ];
}

/** kube-apiserver opens its caches when a version is first asked for, and refuses lists meanwhile. */
function warmUp({ plural, versions, scope }: RandomDefinition, group: string): readonly Step[] {
  const middle = scope === "Namespaced" ? "/namespaces/${ns}" : "";
  const asked = versions.map(({ name }) => get(`/apis/${group}/${name}${middle}/${plural}/nobody`));
  return [...asked, { ...settle(), milliseconds: 1000 }];
}

/** Changes of a definition that is in use, each possible once, as JSON patches of its first version. */
const schemaChanges: readonly (readonly [string, JsonObject])[] = [
  ["spec/properties/added", { ...text, default: "later" }],
  ["spec/properties/free", { type: "object", "x-kubernetes-preserve-unknown-fields": true }],
  ["spec/properties/image", { ...text, maxLength: 3, default: "a" }],
  ["spec/properties/size", { ...number, maximum: 1 }],
  ["spec/properties/atomic", { type: "array", items: text, "x-kubernetes-list-type": "set" }],
  ["spec/properties/whole", { type: "object", properties: { a: text, c: text } }],
  ["spec/properties/kept", { ...text, default: "again" }],
  ["spec/required", ["size"] as unknown as JsonObject],
];

export const schemaChangeCount: number = schemaChanges.length;

export function changeOfSchema(definition: RandomDefinition, which: number): readonly Step[] {
  const [place, value] = schemaChanges[which]!;
  const path = `/spec/versions/0/schema/openAPIV3Schema/properties/${place}`;
  const group = "${ns}.example.com";
  const at = `${CRDS}/${definition.plural}.${group}`;
  const change = patch(at, ["json", [{ op: "add", path, value }]]);
  return [as(`schema change ${which}`, change), settle(), ...warmUp(definition, group)];
}
