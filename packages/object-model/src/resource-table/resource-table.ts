/**
 * The built-in resources of Kubernetes and the shapes of their objects, read from generated tables.
 *
 * This file answers which resources exist and by which names; object-schema.ts answers what their
 * objects look like, in JSON and on the protobuf wire; patch-schema-of.ts gives strategic merge its
 * view of that. All is constant and shared: nothing here may be changed, and nothing is decoded
 * before it is asked for. Custom resources are not here: a server keeps them beside this table.
 */

import { builtinResources } from "../generated/builtin-resources.ts";
import type { GroupVersionKind, GroupVersionResource } from "../generated/meta-v1.ts";
import type { GroupVersion } from "../group-version-kind.ts";
import type { BuiltinResource } from "./builtin-resource.ts";

export interface BuiltinGroup {
  readonly group: string;
  /** Most preferred first. */
  readonly versions: readonly string[];
}

/** All resources as discovery lists them: core first, groups by priority, versions by preference. */
export function listBuiltinResources(): readonly BuiltinResource[] {
  return builtinResources;
}

/** Groups in discovery order, with their stable versions. */
export function listBuiltinGroups(): readonly BuiltinGroup[] {
  groups ??= [...Map.groupBy(builtinResources, (resource) => resource.group)].map(
    ([group, resources]) => ({
      group,
      versions: [...new Set(resources.map((resource) => resource.version))],
    }),
  );
  return groups;
}

/** By the name in URLs: `{ group: "apps", version: "v1", resource: "deployments" }`. */
export function findBuiltinResource(wanted: GroupVersionResource): BuiltinResource | undefined {
  byPlural ??= indexBy((resource) => resource.plural);
  return byPlural.get(indexKey(wanted, wanted.resource));
}

/** By kind, as an object names its own type. */
export function findBuiltinResourceOfKind(wanted: GroupVersionKind): BuiltinResource | undefined {
  byKind ??= indexBy((resource) => resource.kind);
  return byKind.get(indexKey(wanted, wanted.kind));
}

/**
 * By what a person types: plural, singular or short name, in any case, with the group behind a dot
 * where given (`deploy`, `deployments.apps`, `events.events.k8s.io`). Only preferred versions, in
 * discovery order, so the first answer is the one kubectl takes.
 */
export function findBuiltinResourcesByName(name: string): readonly BuiltinResource[] {
  byName ??= indexNames();
  const typed = name.toLowerCase();
  const exact = byName.get(typed);
  if (exact !== undefined) return exact;
  const dot = typed.indexOf(".");
  if (dot < 0) return [];
  const group = typed.slice(dot + 1);
  return (byName.get(typed.slice(0, dot)) ?? []).filter((resource) => resource.group === group);
}

type Index = ReadonlyMap<string, BuiltinResource>;

let groups: readonly BuiltinGroup[] | undefined;
let byPlural: Index | undefined;
let byKind: Index | undefined;
let byName: ReadonlyMap<string, readonly BuiltinResource[]> | undefined;

/** No part can hold a space, so the key is unambiguous. */
function indexKey(of: GroupVersion, name: string): string {
  return `${of.group} ${of.version} ${name}`;
}

function indexBy(name: (resource: BuiltinResource) => string): Index {
  return new Map(
    builtinResources.map((resource) => [indexKey(resource, name(resource)), resource]),
  );
}

function indexNames(): ReadonlyMap<string, readonly BuiltinResource[]> {
  const index = new Map<string, BuiltinResource[]>();
  for (const resource of builtinResources) {
    if (!resource.preferred) continue;
    const names = new Set([resource.plural, resource.singular, ...resource.shortNames]);
    for (const name of names) {
      const same = index.get(name);
      if (same === undefined) index.set(name, [resource]);
      else same.push(resource);
    }
  }
  return index;
}
