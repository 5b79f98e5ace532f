/**
 * A definition as kube-apiserver's validation sees it: what all versions have in common (schema,
 * subresources, columns, selectable fields) stands once at the top and is missing in the versions. It
 * decides where errors are said to be: `spec.validation.openAPIV3Schema`, not
 * `spec.versions[0].schema.openAPIV3Schema`.
 */
import { equalJson } from "@homeostat/object-model";
import type {
  CustomResourceColumnDefinition,
  CustomResourceConversion,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  JSONSchemaProps,
  SelectableField,
} from "@homeostat/object-model/apiextensions-v1";

/** Decoded, not validated: what the types call required may be missing. */
export interface DefinitionForm {
  readonly group: string;
  readonly scope: string;
  readonly names: Partial<CustomResourceDefinitionNames>;
  readonly versions: readonly VersionForm[];
  /** False where not even an empty list is given. */
  readonly hasVersions: boolean;
  readonly preservesUnknownFields: boolean;
  readonly conversion: CustomResourceConversion | undefined;
  /** What is the same in all versions. */
  readonly shared: VersionParts;
}

export interface VersionForm {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
  /** What is not shared. */
  readonly own: VersionParts;
}

export interface VersionParts {
  readonly schema: CustomResourceValidation | undefined;
  readonly subresources: CustomResourceSubresources | undefined;
  readonly additionalPrinterColumns: readonly CustomResourceColumnDefinition[] | undefined;
  readonly selectableFields: readonly SelectableField[] | undefined;
}

export function definitionForm(
  spec: Readonly<Partial<CustomResourceDefinitionSpec>> | undefined,
): DefinitionForm {
  const versions = spec?.versions ?? [];
  const shared = Object.fromEntries(
    PARTS.filter((part) => isShared(versions, part)).map((part) => [part, versions[0]?.[part]]),
  ) as Partial<VersionParts>;
  return {
    group: spec?.group ?? "",
    scope: spec?.scope ?? "",
    names: spec?.names ?? {},
    versions: versions.map((version) => ({
      name: version.name ?? "",
      served: version.served ?? false,
      storage: version.storage ?? false,
      deprecated: version.deprecated === true,
      deprecationWarning: version.deprecationWarning,
      own: { ...NO_PARTS, ...ownParts(version, shared) },
    })),
    hasVersions: spec?.versions !== undefined,
    preservesUnknownFields: spec?.preserveUnknownFields === true,
    conversion: spec?.conversion,
    shared: { ...NO_PARTS, ...shared },
  };
}

/** Every schema of a definition, whether shared or not. */
export function schemasOf({ shared, versions }: DefinitionForm): JSONSchemaProps[] {
  const all = [shared.schema, ...versions.map(({ own }) => own.schema)];
  return all.flatMap((schema) => schema?.openAPIV3Schema ?? []);
}

/** The schema that objects of a version have. */
export function schemaOfVersion(
  { shared, versions }: DefinitionForm,
  name: string,
): JSONSchemaProps | undefined {
  const version = versions.find((each) => each.name === name);
  return (shared.schema ?? version?.own.schema)?.openAPIV3Schema;
}

const PARTS = [
  "schema",
  "subresources",
  "additionalPrinterColumns",
  "selectableFields",
] as const satisfies readonly (keyof CustomResourceDefinitionVersion & keyof VersionParts)[];

const NO_PARTS: VersionParts = {
  schema: undefined,
  subresources: undefined,
  additionalPrinterColumns: undefined,
  selectableFields: undefined,
};

function isShared(
  versions: readonly CustomResourceDefinitionVersion[],
  part: (typeof PARTS)[number],
): boolean {
  const first = partOf(versions[0], part);
  return versions.every((version) => equalJson(partOf(version, part), first));
}

/** An empty list is none. */
function partOf(
  version: CustomResourceDefinitionVersion | undefined,
  part: (typeof PARTS)[number],
): unknown {
  const value = version?.[part];
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

function ownParts(
  version: CustomResourceDefinitionVersion,
  shared: Partial<VersionParts>,
): Partial<VersionParts> {
  return Object.fromEntries(
    PARTS.filter((part) => !(part in shared)).map((part) => [part, version[part]]),
  );
}
