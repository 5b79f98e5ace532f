// The resources of the stable group-versions, joined from both discovery documents, in the order the server lists
// them: core first, then groups by priority, versions of a group by preference.

import type { ApiModel } from "./api-model.ts";
import type { GroupVersion, PackageVersions } from "./group-version.ts";
import { formatGroupVersion } from "./group-version.ts";
import type { CoreResource, DiscoveredResource, GeneratorInput } from "./read-input.ts";
import { GeneratorInputError } from "./read-input.ts";

interface ResourceKind extends GroupVersion {
  readonly kind: string;
  /** Short name of the message. */
  readonly schema: string;
}

export interface Subresource extends ResourceKind {
  readonly name: string;
  readonly verbs: readonly string[];
}

export interface Resource extends ResourceKind {
  readonly plural: string;
  readonly singular: string;
  readonly listKind?: string;
  readonly scope: "Cluster" | "Namespaced";
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly Subresource[];
  /** Its group-version is the one that the group prefers. */
  readonly preferred: boolean;
  readonly storageVersionHash?: string;
}

interface Found {
  readonly groupVersion: GroupVersion;
  readonly preferred: boolean;
  readonly resource: DiscoveredResource;
  readonly storageVersionHash: string | undefined;
}

type SchemaLookup = (groupVersion: GroupVersion, kind: string) => string;

export function buildResources(
  input: GeneratorInput,
  model: ApiModel,
  versions: PackageVersions,
): readonly Resource[] {
  const schemaOf: SchemaLookup = ({ group, version }, kind) => {
    for (const [packageName, found] of versions) {
      const schema = `${packageName}.${kind}`;
      if (found.group === group && found.version === version && model.has(schema)) return schema;
    }
    throw new GeneratorInputError(`no schema for ${group}/${version} ${kind}`);
  };
  const found = [...coreResources(input), ...groupResources(input)];
  return found.map((entry) => buildResource(entry, schemaOf));
}

function buildResource(found: Found, schemaOf: SchemaLookup): Resource {
  const { groupVersion, preferred, resource, storageVersionHash } = found;
  const { kind } = resource.responseKind;
  const listed = resource.verbs.includes("list");
  if (listed) schemaOf(groupVersion, `${kind}List`);
  return {
    ...groupVersion,
    plural: resource.resource,
    singular: resource.singularResource,
    kind,
    ...(listed ? { listKind: `${kind}List` } : {}),
    scope: resource.scope,
    verbs: resource.verbs,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    subresources: (resource.subresources ?? []).map((sub) => {
      // Discovery leaves the group-version of a kind out where it is the resource's own.
      const own = sub.responseKind.version === "" ? groupVersion : sub.responseKind;
      const { group, version } = own;
      const subKind = sub.responseKind.kind;
      const schema = schemaOf({ group, version }, subKind);
      return { name: sub.subresource, group, version, kind: subKind, verbs: sub.verbs, schema };
    }),
    preferred,
    ...(storageVersionHash !== undefined ? { storageVersionHash } : {}),
    schema: schemaOf(groupVersion, kind),
  };
}

/** Kinds whose objects the server keeps or lists, and the lists: their metadata is always present. */
export function storedKinds(resources: readonly Resource[]): ReadonlySet<string> {
  return new Set(
    resources.flatMap(({ listKind, schema }) =>
      listKind === undefined ? [] : [schema, `${schema}List`],
    ),
  );
}

function coreResources(input: GeneratorInput): readonly Found[] {
  const isSubresource = (resource: CoreResource) => resource.name.includes("/");
  return input.coreResources
    .filter((resource) => !isSubresource(resource))
    .map((resource) => ({
      groupVersion: { group: "", version: "v1" },
      preferred: true,
      storageVersionHash: resource.storageVersionHash,
      resource: {
        resource: resource.name,
        singularResource: resource.singularName,
        responseKind: { kind: resource.kind },
        scope: resource.namespaced ? "Namespaced" : "Cluster",
        verbs: resource.verbs,
        ...(resource.shortNames !== undefined ? { shortNames: resource.shortNames } : {}),
        ...(resource.categories !== undefined ? { categories: resource.categories } : {}),
        subresources: input.coreResources
          .filter((other) => other.name.startsWith(`${resource.name}/`))
          .map(({ name, kind, group = "", version = "", verbs }) => ({
            subresource: name.slice(name.indexOf("/") + 1),
            responseKind: { group, version, kind },
            verbs,
          })),
      },
    }));
}

function groupResources(input: GeneratorInput): readonly Found[] {
  return input.groups.flatMap(({ metadata: { name: group }, versions }) => {
    const stable = versions.filter(({ version }) =>
      input.groupVersions.has(formatGroupVersion({ group, version })),
    );
    return stable.flatMap(({ version, resources }) =>
      resources.map((resource) => ({
        groupVersion: { group, version },
        preferred: version === stable[0]?.version,
        resource,
        storageVersionHash: undefined,
      })),
    );
  });
}
