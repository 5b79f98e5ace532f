/**
 * What is wrong with a CustomResourceDefinition: `validateDefinition` for a new one,
 * `validateDefinitionUpdate` for one that takes the place of another, `validateDefinitionStatus` for
 * a change of its status. Metadata is checked elsewhere. Errors, their places and their order are
 * those of kube-apiserver, which looks at its internal form of a definition (see `definition-form.ts`).
 *
 * Large schemas take a while, so both are asynchronous and `breathe` between parts.
 */
import { checkDns1035Label, checkDns1123Subdomain, type FieldError } from "@homeostat/object-model";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from "@homeostat/object-model/apiextensions-v1";
import { type MetadataReader, Place, parseStructuralSchema, someSchema } from "@homeostat/schema";
import { checkApproval } from "./approval-rules.ts";
import { checkConversion, checkOneOf } from "./conversion-rules.ts";
import {
  type DefinitionForm,
  definitionForm,
  schemasOf,
  type VersionParts,
} from "./definition-form.ts";
import { type DefinitionOptions, optionsAfter, STRICT } from "./definition-options.ts";
import { internalVersions } from "./internal-form.ts";
import { checkNames, refuse } from "./name-rules.ts";
import {
  checkColumns,
  checkDeprecation,
  checkSelectableFields,
  checkSubresources,
} from "./serving-rules.ts";
import { checkVersionSchema } from "./version-schema-rules.ts";

export interface DefinitionContext {
  /** What metadata of embedded resources is. */
  readonly reader: MetadataReader;
  /** Awaited now and then where checking takes long. */
  readonly breathe: () => Promise<void>;
}

type Definition = Readonly<CustomResourceDefinition>;

export async function validateDefinition(
  definition: Definition,
  context: DefinitionContext,
): Promise<FieldError[]> {
  const form = definitionForm(definition.spec);
  const place = Place.root(context);
  await checkSpec(form, place.child("spec"), STRICT);
  checkRest(definition, undefined, place);
  return place.errors;
}

export async function validateDefinitionUpdate(
  definition: Definition,
  old: Definition,
  context: DefinitionContext,
): Promise<FieldError[]> {
  const form = definitionForm(definition.spec);
  const oldForm = definitionForm(old.spec);
  const options = await optionsAfter(old, form, context.breathe);
  await context.breathe();
  const place = Place.root(context);
  const spec = place.child("spec");
  await checkSpec(form, spec, options);
  if (options.requiresImmutableNames) {
    checkUnchanged(form.scope, oldForm.scope, spec.child("scope"));
    checkUnchanged(
      form.names.kind ?? "",
      oldForm.names.kind ?? "",
      spec.child("names").child("kind"),
    );
  }
  checkUnchanged(form.group, oldForm.group, spec.child("group"));
  checkUnchanged(
    form.names.plural ?? "",
    oldForm.names.plural ?? "",
    spec.child("names").child("plural"),
  );
  checkRest(definition, old, place);
  return place.errors;
}

/** The status alone, as its subresource changes it. */
export function validateDefinitionStatus(definition: Definition): FieldError[] {
  const place = Place.root(undefined);
  checkNames(definition.status?.acceptedNames ?? {}, place.child("status").child("acceptedNames"));
  return place.errors;
}

function checkUnchanged(value: string, old: string, place: Place): void {
  if (value !== old) place.invalid(value, "field is immutable");
}

function checkRest(definition: Definition, old: Definition | undefined, place: Place): void {
  const status = place.child("status");
  checkNames(definition.status?.acceptedNames ?? {}, status.child("acceptedNames"));
  checkStoredVersions(definition, status.child("storedVersions"));
  checkApproval(definition, old, place.child("metadata").child("annotations"));
  if (
    definition.spec?.preserveUnknownFields === true &&
    old?.spec?.preserveUnknownFields !== true
  ) {
    const detail =
      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
    place.child("spec").child("preserveUnknownFields").invalid(true, detail);
  }
}

/** Every version in which objects may be stored has to stay. */
function checkStoredVersions({ spec, status }: Definition, place: Place): void {
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) {
    place.invalid(status?.storedVersions ?? null, "must have at least one stored version");
    return;
  }
  const missing = new Map(stored.map((name, index) => [name, index]));
  for (const { name = "", storage } of (spec?.versions ??
    []) as Partial<CustomResourceDefinitionVersion>[]) {
    // One that was met before counts no more: kube-apiserver tells it of names that occur twice.
    if (storage && !missing.has(name)) {
      place.invalid(stored, `must have the storage version ${name}`);
    }
    missing.delete(name);
  }
  for (const [name, index] of missing) {
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    place.index(index).invalid(name, detail);
  }
}

type DefinitionPlace = Place<DefinitionContext>;

async function checkSpec(
  form: DefinitionForm,
  place: DefinitionPlace,
  given: DefinitionOptions,
): Promise<void> {
  checkGroup(form.group, place.child("group"));
  checkOneOf(form.scope, ["Cluster", "Namespaced"], place.child("scope"));
  const options = {
    ...given,
    requiresStructural: given.requiresStructural || mustBeStructural(form),
  };
  await place.context.breathe();
  checkSchemasPresent(form, place, options);
  if (
    form.preservesUnknownFields &&
    schemasOf(form).some((schema) => someSchema(schema, ({ default: value }) => value != null))
  ) {
    const detail = "must be false in order to use defaults in the schema";
    place.child("preserveUnknownFields").invalid(true, detail);
  }
  await checkVersions(form, place, options);
  checkRequiredNames(form, place.child("names"));
  checkNames(form.names, place.child("names"));
  await checkShared(form, place, options);
  const { conversion } = form;
  if (conversion !== undefined && conversion.strategy !== "None" && form.preservesUnknownFields) {
    const detail = "must be None if spec.preserveUnknownFields is true";
    place
      .child("conversion")
      .child("strategy")
      .invalid(conversion.strategy ?? "", detail);
  }
  checkConversion(conversion, place.child("conversion"), {
    requiresKnownReviewVersion: options.requiresKnownReviewVersion,
    checksCaBundle: options.checksCaBundle,
  });
}

function checkGroup(group: string, place: Place): void {
  if (group === "") {
    place.required();
    return;
  }
  const problems = checkDns1123Subdomain(group);
  if (problems.length > 0) refuse(group, problems, place);
  else if (!group.includes(".")) place.invalid(group, "should be a domain with at least one dot");
}

/** Whatever prunes, defaults or uses the extensions needs to know every field. */
function mustBeStructural(form: DefinitionForm): boolean {
  if (!form.preservesUnknownFields) return true;
  return schemasOf(form).some((schema) =>
    someSchema(
      schema,
      (each) =>
        each.default != null ||
        Object.keys(each).some((keyword) => keyword.startsWith("x-kubernetes-")),
    ),
  );
}

function checkSchemasPresent(form: DefinitionForm, place: Place, options: DefinitionOptions): void {
  if (form.shared.schema?.openAPIV3Schema !== undefined) return;
  if (!options.requiresSchemas && form.preservesUnknownFields) return;
  for (const [index, { own, served }] of form.versions.entries()) {
    if (own.schema?.openAPIV3Schema !== undefined) continue;
    const at = place.child("versions").index(index).child("schema").child("openAPIV3Schema");
    if (options.requiresSchemas) at.required();
    else if (served) at.required("because otherwise all fields are pruned");
  }
}

async function checkVersions(
  form: DefinitionForm,
  place: DefinitionPlace,
  options: DefinitionOptions,
): Promise<void> {
  const at = place.child("versions");
  for (const [index, version] of form.versions.entries()) {
    const here = at.index(index);
    refuse(version.name, checkDns1035Label(version.name), here.child("name"));
    checkDeprecation(version, here.child("deprecationWarning"));
    // Of versions with one name the first decides.
    const first = form.versions.find((each) => each.name === version.name);
    const subresources = form.shared.subresources ?? first?.own.subresources;
    const name = version.name;
    await checkParts(version.own, here, {
      options,
      name,
      hasStatus: subresources?.status !== undefined,
    });
  }
  const names = form.versions.map(({ name }) => name);
  if (new Set(names).size < names.length) {
    at.invalid(internalVersions(form.versions), "must contain unique version names");
  }
  if (form.versions.filter(({ storage }) => storage).length !== 1) {
    const detail = "must have exactly one version marked as storage version";
    at.invalid(form.hasVersions ? internalVersions(form.versions) : null, detail);
  }
  const [first] = form.versions;
  if (first !== undefined)
    refuse(
      first.name,
      first.name === "" ? [] : checkDns1035Label(first.name),
      place.child("version"),
    );
}

function checkRequiredNames({ names }: DefinitionForm, place: Place): void {
  for (const name of ["plural", "singular", "kind", "listKind"] as const) {
    if (!names[name]) place.child(name).required();
  }
}

async function checkShared(
  form: DefinitionForm,
  place: DefinitionPlace,
  options: DefinitionOptions,
): Promise<void> {
  const { shared, versions } = form;
  const hasStatus = [shared, ...versions.map(({ own }) => own)].some(
    ({ subresources }) => subresources?.status !== undefined,
  );
  const name = versions[0]?.name ?? "";
  await checkParts(shared, place, { options, name, hasStatus, isShared: true });
}

/** What may stand at the top for all versions, or in each of them. */
async function checkParts(
  parts: VersionParts,
  place: DefinitionPlace,
  about: { options: DefinitionOptions; name: string; hasStatus: boolean; isShared?: boolean },
): Promise<void> {
  const { options, name, hasStatus, isShared = false } = about;
  const { schema, subresources, additionalPrinterColumns, selectableFields } = parts;
  if (schema !== undefined) {
    const path = place.path!.child(isShared ? "validation" : "schema");
    const isUnchanged = options.unchangedVersions.has(name);
    const { context } = place;
    place.add(
      ...(await checkVersionSchema(schema, path, { ...options, hasStatus, isUnchanged, context })),
    );
  }
  checkSubresources(subresources, place.child("subresources"));
  checkColumns(additionalPrinterColumns, place.child("additionalPrinterColumns"));
  if ((selectableFields?.length ?? 0) === 0) return;
  const at = place.child("selectableFields");
  if (schema === undefined || (!isShared && schema.openAPIV3Schema === undefined)) {
    const detail = isShared
      ? "may only be set when validations.schema is included"
      : "may only be set when `version.schema.openAPIV3Schema` is not included";
    at.invalid("", detail);
    return;
  }
  checkSelectableFields(selectableFields!, at, {
    schema: parseStructuralSchema(schema.openAPIV3Schema),
    allowsTooMany: options.manySelectable.has(isShared ? "" : name),
  });
}
