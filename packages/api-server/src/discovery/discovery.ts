/**
 * What is served, as clients ask for it: groups, versions, resources, each with an address of its own
 * (here), or all in one document (aggregated-discovery.ts) for whoever accepts that.
 */
import { createHash } from "node:crypto";
import {
  type BuiltinResource,
  listBuiltinGroups,
  listBuiltinResources,
  printApiVersion,
  type ResourceVerb,
} from "@homeostat/object-model";
import type {
  APIGroup,
  APIGroupList,
  APIResource,
  APIResourceList,
  APIVersions,
} from "@homeostat/object-model/meta-v1";
import { compareVersions } from "../custom-resources/compare-versions.ts";
import type { ResourceDefinition, ServedResource } from "../registry/served-resource.ts";

/** `/api`. `address` is where clients reach this server. */
export function coreVersions(address: string): APIVersions {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: address }],
  };
}

/** Custom resources, in all their versions. */
type Custom = Iterable<ServedResource>;

/** `/apis`: built-in groups in their order, then those of custom resources. */
export function groupList(custom: Custom): APIGroupList {
  const names = listBuiltinGroups()
    .map(({ group }) => group)
    .filter((group) => group !== "");
  const defined = new Set(Array.from(custom, ({ definition }) => definition.group));
  const added = [...defined].filter((group) => !names.includes(group)).sort();
  const groups = [...names, ...added].map((group) => groupOf(group, custom)!);
  return { kind: "APIGroupList", apiVersion: "v1", groups };
}

/** An entry of `/apis`; `/apis/<group>` is this with a kind. */
export function groupOf(name: string, custom: Custom): APIGroup | undefined {
  const found = listBuiltinGroups().find(({ group }) => group === name);
  const defined = new Set<string>();
  for (const { definition } of custom) {
    if (definition.group === name) defined.add(definition.version);
  }
  const names = found?.versions ?? [...defined].sort(compareVersions);
  if (names.length === 0 || name === "") return undefined;
  const versions = names.map((version) => ({
    groupVersion: printApiVersion({ group: name, version }),
    version,
  }));
  return { name, versions, preferredVersion: versions[0]! };
}

/** `/api/v1`, `/apis/<group>/<version>`; undefined when nothing is served there. */
export function resourceList(
  group: string,
  version: string,
  custom: Custom,
): APIResourceList | undefined {
  const isHere = (resource: ResourceDefinition): boolean =>
    resource.group === group && resource.version === version;
  const served = listBuiltinResources().filter(isHere);
  const defined = Array.from(custom).filter(
    ({ definition, custom: facts }) => isHere(definition) && facts?.unusable !== true,
  );
  if (served.length + defined.length === 0) return undefined;
  const resources = [
    ...served.flatMap((each) => entriesOf(each, storageVersionHash(each))).toSorted(byName),
    ...defined.flatMap(customEntries),
  ];
  return {
    kind: "APIResourceList",
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: printApiVersion({ group, version }),
    resources,
  };
}

function byName(a: APIResource, b: APIResource): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** In the order of their definition. */
function customEntries(served: ServedResource): APIResource[] {
  const { definition, custom } = served;
  const hash = hashOf(`${definition.group}/${custom!.storageVersion}/${definition.kind}`);
  return entriesOf({ ...definition, verbs: offeredVerbs(served) }, hash);
}

/** While the definition of a custom resource is being deleted, nothing new is written. */
export function offeredVerbs({ definition, custom }: ServedResource): readonly ResourceVerb[] {
  if (custom?.terminating !== true) return definition.verbs;
  return definition.verbs.filter((verb) => !WRITING.has(verb));
}

const WRITING: ReadonlySet<string> = new Set(["create", "patch", "update"]);

function entriesOf(resource: ResourceDefinition, hash: string): APIResource[] {
  const namespaced = resource.scope === "Namespaced";
  const entry: APIResource = {
    name: resource.plural,
    singularName: resource.singular,
    namespaced,
    kind: resource.kind,
    verbs: [...resource.verbs],
    ...(resource.shortNames.length > 0 ? { shortNames: [...resource.shortNames] } : {}),
    ...(resource.categories.length > 0 ? { categories: [...resource.categories] } : {}),
    ...(resource.verbs.includes("list") && resource.plural !== "componentstatuses"
      ? { storageVersionHash: hash }
      : {}),
  };
  const subresources = resource.subresources.map((each): APIResource => {
    const foreign = each.group !== resource.group || each.version !== resource.version;
    return {
      name: `${resource.plural}/${each.name}`,
      singularName: "",
      namespaced,
      ...(foreign ? { group: each.group, version: each.version } : {}),
      kind: each.kind,
      verbs: [...each.verbs],
    };
  });
  return [entry, ...subresources];
}

/** Kinds that kube-apiserver keeps in another version than the one it serves here. */
const KEPT_IN: Readonly<Record<string, string>> = {
  CustomResourceDefinition: "v1beta1",
  HorizontalPodAutoscaler: "v2",
  MutatingAdmissionPolicy: "v1beta1",
  MutatingAdmissionPolicyBinding: "v1beta1",
};

/** The version in which objects are kept, in a form that only tells whether it changed. */
function storageVersionHash(resource: BuiltinResource): string {
  if (resource.storageVersionHash !== undefined) return resource.storageVersionHash;
  const { group, version, kind } = resource;
  const kept = KEPT_IN[kind] ?? version;
  const name = group === "events.k8s.io" ? `/v1/${kind}` : `${group}/${kept}/${kind}`;
  return hashOf(name);
}

function hashOf(name: string): string {
  return createHash("sha256").update(name).digest().subarray(0, 8).toString("base64");
}
