/** What is served, as clients ask for it: groups, versions, resources. */
import { createHash } from "node:crypto";
import {
  type BuiltinResource,
  listBuiltinGroups,
  listBuiltinResources,
  printApiVersion,
} from "@homeostat/object-model";
import type {
  APIGroup,
  APIGroupList,
  APIResource,
  APIResourceList,
  APIVersions,
} from "@homeostat/object-model/meta-v1";

/** `/api`. `address` is where clients reach this server. */
export function coreVersions(address: string): APIVersions {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: address }],
  };
}

/** `/apis`. */
export function groupList(): APIGroupList {
  const groups = listBuiltinGroups()
    .filter(({ group }) => group !== "")
    .map(({ group }) => groupOf(group)!);
  return { kind: "APIGroupList", apiVersion: "v1", groups };
}

/** An entry of `/apis`; `/apis/<group>` is this with a kind. */
export function groupOf(name: string): APIGroup | undefined {
  const found = listBuiltinGroups().find(({ group }) => group === name);
  if (found === undefined || name === "") return undefined;
  const versions = found.versions.map((version) => ({
    groupVersion: printApiVersion({ group: name, version }),
    version,
  }));
  return { name, versions, preferredVersion: versions[0]! };
}

/** `/api/v1`, `/apis/<group>/<version>`; undefined when nothing is served there. */
export function resourceList(group: string, version: string): APIResourceList | undefined {
  const served = listBuiltinResources().filter(
    (resource) => resource.group === group && resource.version === version,
  );
  if (served.length === 0) return undefined;
  const resources = served.flatMap(entriesOf).toSorted(byName);
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

function entriesOf(resource: BuiltinResource): APIResource[] {
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
      ? { storageVersionHash: storageVersionHash(resource) }
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
  return createHash("sha256").update(name).digest().subarray(0, 8).toString("base64");
}
