import type { JsonObject } from "@homeostat/object-model";
import { findResource } from "../scenario.ts";
import { sampleOf } from "../scenarios/sample-objects.ts";
import { sharedDefinitions, sharedGroup } from "./definitions.ts";
import { configurations, resources } from "./pools.ts";
import type { RandomDefinition } from "./random-definition.ts";

/** What a sequence needs to know about a kind to make requests of it. */
export interface RandomKind {
  /** The place of all its objects, in each version that is served. */
  readonly versions: readonly { readonly place: string; readonly apiVersion: string }[];
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly isCustom: boolean;
  /** Of `status` and `scale`, those that it has. */
  readonly subresources: readonly string[];
  readonly sample: JsonObject;
  readonly changes: readonly JsonObject[];
  /** Parts of an object that managers apply. */
  readonly configurations: readonly JsonObject[];
}

function builtinKind(name: string): RandomKind {
  const { group, version, kind, scope, subresources } = findResource(name);
  const changes = resources[name]!;
  return {
    versions: [{ place: name, apiVersion: group === "" ? version : `${group}/${version}` }],
    kind,
    isNamespaced: scope === "Namespaced",
    isCustom: false,
    subresources: ["status", "scale"].filter((each) =>
      subresources.some(({ name: has }) => has === each),
    ),
    sample: sampleOf(name),
    changes,
    configurations: configurations[name] ?? changes,
  };
}

export function customKind(definition: RandomDefinition, group: string): RandomKind {
  const { kind, plural, scope, subresources, sample, changes } = definition;
  const middle = scope === "Namespaced" ? "/namespaces/${ns}" : "";
  return {
    versions: definition.versions.map(({ name }) => ({
      place: `/apis/${group}/${name}${middle}/${plural}`,
      apiVersion: `${group}/${name}`,
    })),
    kind,
    isNamespaced: scope === "Namespaced",
    isCustom: true,
    subresources,
    sample,
    changes,
    configurations: changes,
  };
}

export const builtinKinds: readonly RandomKind[] = Object.keys(resources).map(builtinKind);

/** Those whose lists and maps make applying worth while. */
export const appliedKinds: readonly RandomKind[] = Object.keys(configurations).map(builtinKind);

export const sharedKinds: readonly RandomKind[] = sharedDefinitions.map((each) =>
  customKind(each, sharedGroup),
);
