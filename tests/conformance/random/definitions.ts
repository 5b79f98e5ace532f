/**
 * The definitions of custom resources that random requests meet: one with most of what schemas can say
 * about lists, maps and rules in two versions, one of loose and embedded values, one of the cluster.
 * Objects made of the pools beside each are right about as often as not.
 */
import type { JsonValue } from "@homeostat/object-model";
import { as, get, patch, post, type Step, settle, watch } from "../scenario.ts";
import { CRDS } from "../scenarios/sample-definitions.ts";
import { gadgets } from "./gadgets.ts";
import { number, type RandomDefinition, text } from "./random-definition.ts";
import { widgets } from "./widgets.ts";
import { zones } from "./zones.ts";

/** All sequences share these; who changes a definition has the group of its own namespace. */
export const sharedGroup = "random.example.com";

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
const schemaChanges: readonly (readonly [string, JsonValue])[] = [
  ["spec/properties/added", { ...text, default: "later" }],
  ["spec/properties/free", { type: "object", "x-kubernetes-preserve-unknown-fields": true }],
  ["spec/properties/image", { ...text, maxLength: 3, default: "a" }],
  ["spec/properties/size", { ...number, maximum: 1 }],
  ["spec/properties/atomic", { type: "array", items: text, "x-kubernetes-list-type": "set" }],
  ["spec/properties/whole", { type: "object", properties: { a: text, c: text } }],
  ["spec/properties/kept", { ...text, default: "again" }],
  ["spec/required", ["size"]],
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
