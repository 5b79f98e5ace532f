// Which group-version a package of messages belongs to, as discovery and apiVersion write it.

import type { ApiMessage } from "./api-model.ts";
import { packageOf, shortName, typeOf } from "./message-name.ts";
import type { GeneratorInput } from "./read-input.ts";

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Package (`core.v1`) -> group-version. Packages without kinds of their own (`runtime`) are missing. */
export type PackageVersions = ReadonlyMap<string, GroupVersion>;

/** Groups that no OpenAPI document publishes: they are spoken to webhooks and by discovery only. */
const unpublished: readonly [string, GroupVersion][] = [
  ["admission.v1", { group: "admission.k8s.io", version: "v1" }],
  ["apidiscovery.v2", { group: "apidiscovery.k8s.io", version: "v2" }],
];

/** Kinds of apimachinery itself that exist in one group-version; its option kinds exist in every one. */
const metaVersions: ReadonlyMap<string, string> = new Map([
  ["meta.v1.Status", "v1"],
  ["meta.v1.APIVersions", "v1"],
  ["meta.v1.APIGroup", "v1"],
  ["meta.v1.APIGroupList", "v1"],
  ["meta.v1.APIResourceList", "v1"],
  ["meta.v1.List", "v1"],
  ["meta.v1.PartialObjectMetadata", "meta.k8s.io/v1"],
  ["meta.v1.PartialObjectMetadataList", "meta.k8s.io/v1"],
  ["meta.v1.TableOptions", "meta.k8s.io/v1"],
]);

export function packageVersions(input: GeneratorInput): PackageVersions {
  const versions = new Map<string, GroupVersion>();
  for (const [openApiName, schema] of input.schemas) {
    const name = shortName(openApiName);
    const kinds = schema["x-kubernetes-group-version-kind"] ?? [];
    const own = kinds.length === 1 ? kinds[0] : undefined;
    if (own === undefined || own.kind !== typeOf(name) || name.startsWith("meta.")) continue;
    versions.set(packageOf(name), { group: own.group, version: own.version });
  }
  for (const [packageName, version] of unpublished) versions.set(packageName, version);
  return versions;
}

/** What `apiVersion` holds in an object of this kind; undefined where it may be that of any group-version. */
export function apiVersionOf(message: ApiMessage, versions: PackageVersions): string | undefined {
  const found = versions.get(packageOf(message.name));
  return found === undefined ? metaVersions.get(message.name) : formatGroupVersion(found);
}

export function formatGroupVersion({ group, version }: GroupVersion): string {
  return group === "" ? version : `${group}/${version}`;
}
