/**
 * What an update does not ask of a definition, because the one that is stored does not hold it either:
 * rules that were added to Kubernetes after definitions that break them had been written.
 */
import { equalJson } from "@homeostat/object-model";
import type {
  CustomResourceDefinition,
  JSONSchemaProps,
} from "@homeostat/object-model/apiextensions-v1";
import { checkStructural, parseStructuralSchema, someSchema, unreadable } from "@homeostat/schema";
import { problemWithCaBundle } from "./ca-bundle.ts";
import { speaksReviewVersion } from "./conversion-rules.ts";
import { hasUnprunedDefaults } from "./default-rules.ts";
import {
  type DefinitionForm,
  definitionForm,
  schemaOfVersion,
  schemasOf,
} from "./definition-form.ts";
import {
  hasNonAtomicSet,
  hasUnknownType,
  hasUnsoundMapKeys,
  type SchemaRuleOptions,
} from "./schema-rules.ts";
import { hasTooManySelectableFields } from "./serving-rules.ts";

export interface DefinitionOptions extends SchemaRuleOptions {
  readonly requiresSchemas: boolean;
  readonly requiresStructural: boolean;
  /** Asked only where a default is not: finding out takes a walk over the old definition. */
  readonly requiresPrunedDefaults: () => boolean;
  readonly requiresKnownReviewVersion: boolean;
  readonly requiresImmutableNames: boolean;
  readonly checksCaBundle: boolean;
  /** Versions whose schema is as it was: their rules may be as expensive as they were. */
  readonly unchangedVersions: ReadonlySet<string>;
  /** Versions ("" for all of them) that may have too many selectable fields. */
  readonly manySelectable: ReadonlySet<string>;
}

/** For a new definition. */
export const STRICT: DefinitionOptions = {
  requiresKnownTypes: true,
  requiresAtomicSets: true,
  requiresSoundMapKeys: true,
  requiresSchemas: true,
  requiresStructural: true,
  requiresPrunedDefaults: () => true,
  requiresKnownReviewVersion: true,
  requiresImmutableNames: false,
  checksCaBundle: false,
  unchangedVersions: new Set(),
  manySelectable: new Set(),
};

export async function optionsAfter(
  old: Readonly<CustomResourceDefinition>,
  form: DefinitionForm,
  breathe: () => Promise<void>,
): Promise<DefinitionOptions> {
  const oldForm = definitionForm(old.spec);
  const schemas = schemasOf(oldForm);
  const isEstablished =
    old.status?.conditions?.some(
      ({ type, status }) => type === "Established" && status === "True",
    ) ?? false;
  const oldBundle = oldForm.conversion?.webhook?.clientConfig?.caBundle;
  const schemaOptions = schemaOptionsAfter(schemas);
  await breathe();
  return {
    ...schemaOptions,
    requiresSchemas: specifiesAllSchemas(oldForm),
    // Always required where fields are pruned; nobody has to find out then.
    requiresStructural: !form.preservesUnknownFields || schemas.every(isStructural),
    requiresPrunedDefaults: () =>
      !schemas.some((schema) => hasUnprunedDefaults(parseStructuralSchema(schema))),
    requiresKnownReviewVersion: speaksReviewVersion(
      oldForm.conversion?.webhook?.conversionReviewVersions,
    ),
    requiresImmutableNames: isEstablished,
    checksCaBundle: isEstablished && (!oldBundle || problemWithCaBundle(oldBundle) === undefined),
    unchangedVersions: unchangedVersions(form, oldForm),
    manySelectable: manySelectable(form, oldForm),
  };
}

function isStructural(schema: JSONSchemaProps): boolean {
  return unreadable(schema) === undefined && checkStructural(schema).length === 0;
}

function schemaOptionsAfter(schemas: readonly JSONSchemaProps[]): SchemaRuleOptions {
  let requiresKnownTypes = true;
  let requiresAtomicSets = true;
  let requiresSoundMapKeys = true;
  const look = (schema: JSONSchemaProps): boolean => {
    if (hasUnknownType(schema)) requiresKnownTypes = false;
    if (schema["x-kubernetes-list-type"] === undefined) return false;
    if (hasNonAtomicSet(schema)) requiresAtomicSets = false;
    if (hasUnsoundMapKeys(schema)) requiresSoundMapKeys = false;
    return false;
  };
  for (const schema of schemas) someSchema(schema, look);
  return { requiresKnownTypes, requiresAtomicSets, requiresSoundMapKeys };
}

function specifiesAllSchemas({ shared, versions }: DefinitionForm): boolean {
  if (shared.schema?.openAPIV3Schema !== undefined) return true;
  return versions.every(({ own }) => own.schema?.openAPIV3Schema !== undefined);
}

function unchangedVersions(form: DefinitionForm, old: DefinitionForm): ReadonlySet<string> {
  const names = form.versions.map(({ name }) => name);
  const known = new Set(old.versions.map(({ name }) => name));
  return new Set(
    names.filter(
      (name) =>
        known.has(name) && equalJson(schemaOfVersion(form, name), schemaOfVersion(old, name)),
    ),
  );
}

function manySelectable(form: DefinitionForm, old: DefinitionForm): ReadonlySet<string> {
  const found = new Set<string>();
  const keep = (
    name: string,
    now: unknown,
    before: DefinitionForm["shared"]["selectableFields"],
  ) => {
    if (hasTooManySelectableFields(before) && equalJson(now, before)) found.add(name);
  };
  keep("", form.shared.selectableFields, old.shared.selectableFields);
  for (const { name, own } of form.versions) {
    const before = old.versions.find((version) => version.name === name);
    if (before !== undefined) keep(name, own.selectableFields, before.own.selectableFields);
  }
  return found;
}
