import type { BuiltinSubresource } from "@homeostat/object-model";
import { listBuiltinGroups, listBuiltinResources } from "@homeostat/object-model";
import type {
  APIGroupDiscovery,
  APIGroupDiscoveryList,
  APIResourceDiscovery,
  APIVersionDiscovery,
} from "@homeostat/object-model/apidiscovery-v2";
import { compareVersions } from "../custom-resources/compare-versions.ts";
import type { ResourceDefinition, ServedResource } from "../registry/served-resource.ts";
import { offeredVerbs } from "./discovery.ts";

/** Everything at once: the core at `/api`, all other groups with their resources at `/apis`. */
export function aggregatedDiscovery(
  root: "api" | "apis",
  custom: readonly ServedResource[],
): APIGroupDiscoveryList {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: root === "api" ? [coreGroup()] : otherGroups(custom),
  };
}

function coreGroup(): APIGroupDiscovery {
  return { metadata: {}, versions: [builtinVersion("", "v1")] };
}

/** Built-in groups in their order, then those of custom resources by name. */
function otherGroups(custom: readonly ServedResource[]): APIGroupDiscovery[] {
  const byGroup = Map.groupBy(custom, ({ definition }) => definition.group);
  const builtin = listBuiltinGroups()
    .filter(({ group }) => group !== "")
    .map(({ group, versions }) => {
      const own = versions.map((version) => builtinVersion(group, version));
      const more = customVersions(byGroup.get(group) ?? []).filter(
        ({ version }) => !versions.includes(version),
      );
      byGroup.delete(group);
      return { metadata: { name: group }, versions: [...own, ...more] };
    });
  const added = [...byGroup]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, resources]) => ({ metadata: { name }, versions: customVersions(resources) }));
  return [...builtin, ...added];
}

function builtinVersion(group: string, version: string): APIVersionDiscovery {
  const resources = listBuiltinResources()
    .filter((each) => each.group === group && each.version === version)
    .map((each) => describe(each, (kind) => ownKind(kind, each)));
  return { version, resources: resources.sort(byName), freshness: "Current" };
}

function customVersions(resources: readonly ServedResource[]): APIVersionDiscovery[] {
  return [...Map.groupBy(resources, ({ definition }) => definition.version)]
    .sort(([a], [b]) => compareVersions(a, b))
    .map(([version, served]) => {
      const described = served.map((each) => {
        const definition = { ...each.definition, verbs: offeredVerbs(each) };
        return describe(definition, ({ group, kind, version: of }) => ({
          group,
          version: of,
          kind,
        }));
      });
      return { version, resources: described.sort(byName), freshness: "Current" };
    });
}

type Kind = Pick<BuiltinSubresource, "group" | "kind" | "version">;
type ResponseKind = NonNullable<APIResourceDiscovery["responseKind"]>;

/** A built-in kind of the resource's own group-version does not repeat that. */
function ownKind({ group, version, kind }: Kind, resource: Kind): ResponseKind {
  const isOwn = group === resource.group && version === resource.version;
  return isOwn ? { group: "", version: "", kind } : { group, version, kind };
}

function describe(
  resource: ResourceDefinition,
  kindOf: (kind: Kind) => ResponseKind,
): APIResourceDiscovery {
  const { plural, scope, singular, verbs, shortNames, categories, subresources } = resource;
  return {
    resource: plural,
    responseKind: kindOf(resource),
    scope,
    singularResource: singular,
    verbs: [...verbs],
    ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}),
    ...(categories.length > 0 ? { categories: [...categories] } : {}),
    ...(subresources.length > 0
      ? {
          subresources: subresources.map((each) => ({
            subresource: each.name,
            responseKind: kindOf(each),
            verbs: [...each.verbs],
          })),
        }
      : {}),
  };
}

function byName(a: APIResourceDiscovery, b: APIResourceDiscovery): number {
  return a.resource < b.resource ? -1 : 1;
}
