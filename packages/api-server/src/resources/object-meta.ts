/**
 * What is wrong with an object's metadata, on create and on update, whatever its kind. The checks,
 * their order, their words and their repetitions are kube-apiserver's; labels and annotations are
 * reported in the order the object has them. Nothing is changed here: the registry has already set
 * what the server owns (uid, timestamps, generation), and a generated name is already in `name`.
 */
import {
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelKey,
  checkLabelValue,
  checkPathSegmentName,
  checkPathSegmentPrefix,
  FieldError,
  FieldPath,
  type ObjectMeta,
  type OwnerReference,
} from "@homeostat/object-model";
import type { NameCheck } from "../registry/strategy.ts";
import { checkManagedFields } from "./managed-fields-check.ts";
import type { MetadataCheck } from "./metadata-checks.ts";

const METADATA = FieldPath.of("metadata");
const LABELS = METADATA.child("labels");
const ANNOTATIONS = METADATA.child("annotations");
const OWNER_REFERENCES = METADATA.child("ownerReferences");
const FINALIZERS = METADATA.child("finalizers");
const MANAGED_FIELDS = METADATA.child("managedFields");
const ANNOTATIONS_MAX_BYTES = 256 * 1024;
const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";
const IMMUTABLE = "field is immutable";
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(["kubernetes", ORPHAN, FOREGROUND]);

export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly checkName: NameCheck;
  /**
   * Whether finalizers need a domain (`example.com/name`), as those of most built-in kinds do;
   * false for custom resources and the groups of {@link hasFreeFinalizers}.
   */
  readonly qualifiedFinalizers: boolean;
}

/** Of a built-in kind with names as most have them, where its strategy looks at the metadata itself. */
export function subdomainNamed(namespaced: boolean): ObjectMetaRules {
  return { namespaced, checkName: nameIsDnsSubdomain, qualifiedFinalizers: true };
}

/** Built-in groups whose finalizers may be plain names. */
export function hasFreeFinalizers(group: string): boolean {
  return FREE_FINALIZER_GROUPS.has(group);
}

const FREE_FINALIZER_GROUPS: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
  "policy",
]);

/** For a create: everything about the metadata. */
export function checkObjectMeta(
  metadata: Readonly<ObjectMeta>,
  rules: ObjectMetaRules,
): FieldError[] {
  return [
    ...checkPlace(metadata, rules),
    ...checkAttachments(metadata),
    ...checkFinalizers(metadata.finalizers),
    ...checkManagedFields(metadata.managedFields, MANAGED_FIELDS),
    ...checkQualifiedFinalizers(metadata, rules),
  ];
}

/**
 * For an update of any kind, `old` being what is stored. A stored name stays valid whatever the rules
 * for new names have become.
 */
export function checkObjectMetaUpdate(
  metadata: Readonly<ObjectMeta>,
  old: Readonly<ObjectMeta>,
  { namespaced }: Pick<ObjectMetaRules, "namespaced">,
): FieldError[] {
  // Told as part of any metadata, and once more as part of a change.
  const attachments = checkAttachments(metadata);
  const managers = checkManagedFields(metadata.managedFields, MANAGED_FIELDS);
  return [
    ...checkPlace(metadata, { namespaced, checkName: nameIsPathSegment }),
    ...attachments,
    ...checkFinalizers(metadata.finalizers),
    ...managers,
    ...checkUnchanged(metadata, old),
    ...attachments,
    ...managers,
  ];
}

/**
 * What the rules of a kind say once more after {@link checkObjectMetaUpdate}: clients see it in the
 * causes; messages print equal texts once. `isClean`: that has found nothing, and so only what differs
 * is looked at.
 */
export function checkObjectMetaAgain(
  metadata: Readonly<ObjectMeta>,
  old: Readonly<ObjectMeta>,
  rules: ObjectMetaRules & { readonly check: MetadataCheck; readonly isClean: boolean },
): FieldError[] {
  if (rules.isClean) {
    const errors = rules.check === "whole" ? checkNames(metadata, rules) : [];
    return [...errors, ...checkQualifiedFinalizers(metadata, rules)];
  }
  if (rules.check === "whole") return checkObjectMeta(metadata, rules);
  return [
    ...checkUnchanged(metadata, old),
    ...checkAttachments(metadata),
    ...checkManagedFields(metadata.managedFields, MANAGED_FIELDS),
    ...checkQualifiedFinalizers(metadata, rules),
  ];
}

function checkQualifiedFinalizers(
  { finalizers = [] }: Readonly<ObjectMeta>,
  { qualifiedFinalizers }: Pick<ObjectMetaRules, "qualifiedFinalizers">,
): FieldError[] {
  if (!qualifiedFinalizers || finalizers.length === 0) return [];
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  return [...finalizers.entries()]
    .filter(([, name]) => !name.includes("/") && !STANDARD_FINALIZERS.has(name))
    .map(([i, name]) => FieldError.invalid(FINALIZERS.index(i), name, detail));
}

/** What an object is called and where it is. */
function checkPlace(
  metadata: Readonly<ObjectMeta>,
  { namespaced, checkName }: Pick<ObjectMetaRules, "namespaced" | "checkName">,
): FieldError[] {
  const errors = checkNames(metadata, { checkName });
  const invalid = (field: string, value: unknown, problems: readonly string[]): void => {
    for (const text of problems) {
      errors.push(FieldError.invalid(METADATA.child(field), value, text));
    }
  };
  const { namespace, generation = 0 } = metadata;
  if (!namespaced) {
    if (namespace) {
      errors.push(FieldError.forbidden(METADATA.child("namespace"), "not allowed on this type"));
    }
  } else if (namespace) invalid("namespace", namespace, checkDns1123Label(namespace));
  else errors.push(FieldError.required(METADATA.child("namespace")));
  if (generation < 0) invalid("generation", generation, ["must be greater than or equal to 0"]);
  return errors;
}

function checkAttachments(metadata: Readonly<ObjectMeta>): FieldError[] {
  return [
    ...checkLabels(metadata.labels, LABELS),
    ...checkAnnotations(metadata.annotations, ANNOTATIONS),
    ...checkOwnerReferences(metadata.ownerReferences, OWNER_REFERENCES),
  ];
}

export function checkNames(
  { name, generateName }: Readonly<ObjectMeta>,
  { checkName }: Pick<ObjectMetaRules, "checkName">,
): FieldError[] {
  const errors: FieldError[] = [];
  const invalid = (field: string, value: string, prefix: boolean): void => {
    for (const text of checkName(value, { prefix })) {
      errors.push(FieldError.invalid(METADATA.child(field), value, text));
    }
  };
  if (generateName) invalid("generateName", generateName, true);
  if (name) invalid("name", name, false);
  else errors.push(FieldError.required(METADATA.child("name"), "name or generateName is required"));
  return errors;
}

/** What an update must leave as it was. */
function checkUnchanged(metadata: Readonly<ObjectMeta>, old: Readonly<ObjectMeta>): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp != null) {
    const known = new Set(old.finalizers);
    const added = [...new Set(metadata.finalizers)].filter((each) => !known.has(each));
    if (added.length > 0) {
      const list = added.toSorted().map((each) => JSON.stringify(each));
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list.join(", ")}}`;
      errors.push(FieldError.forbidden(FINALIZERS, detail));
    }
  }
  if (!metadata.resourceVersion) {
    const field = METADATA.child("resourceVersion");
    errors.push(FieldError.invalid(field, "", "must be specified for an update"));
  }
  const generation = metadata.generation ?? 0;
  if (generation < (old.generation ?? 0)) {
    errors.push(
      FieldError.invalid(METADATA.child("generation"), generation, "must not be decremented"),
    );
  }
  for (const [field, zero] of IMMUTABLE_FIELDS) {
    const value = metadata[field] ?? zero;
    if (value !== (old[field] ?? zero)) {
      errors.push(FieldError.invalid(METADATA.child(field), value, IMMUTABLE));
    }
  }
  return errors;
}

/** In the order they are reported, with what stands for an absent one. */
const IMMUTABLE_FIELDS = [
  ["name", ""],
  ["namespace", ""],
  ["uid", ""],
  ["creationTimestamp", null],
  ["deletionTimestamp", null],
  ["deletionGracePeriodSeconds", null],
] as const;

type Texts = Readonly<Record<string, string>> | null | undefined;

/** Labels and anything shaped like them: template labels, selectors that are plain maps. */
export function checkLabels(labels: Texts, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    for (const text of checkLabelKey(key)) errors.push(FieldError.invalid(path, key, text));
    for (const text of checkLabelValue(value)) errors.push(FieldError.invalid(path, value, text));
  }
  return errors;
}

/** Keys are label keys in any case; keys and values together have a size limit. */
export function checkAnnotations(annotations: Texts, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
    for (const text of checkLabelKey(key.toLowerCase())) {
      errors.push(FieldError.invalid(path, key, text));
    }
  }
  if (size > ANNOTATIONS_MAX_BYTES) errors.push(FieldError.tooLong(path, ANNOTATIONS_MAX_BYTES));
  return errors;
}

function checkOwnerReferences(
  references: readonly Partial<OwnerReference>[] | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let controller = "";
  for (const reference of references ?? []) {
    for (const each of checkOwnerReference(reference, path)) errors.push(each);
    if (!reference.controller) continue;
    const name = `${reference.kind ?? ""}/${reference.name ?? ""}`;
    if (controller === "") controller = name;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      errors.push(FieldError.invalid(path, references?.map(inStructOrder), detail));
    }
  }
  return errors;
}

function checkOwnerReference(reference: Partial<OwnerReference>, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { apiVersion = "", kind = "", name = "", uid = "" } = reference;
  const version = versionOf(apiVersion);
  if (version === "") {
    errors.push(
      FieldError.invalid(path.child("apiVersion"), apiVersion, "version must not be empty"),
    );
  }
  for (const [field, value] of Object.entries({ kind, name, uid })) {
    if (value === "")
      errors.push(FieldError.invalid(path.child(field), value, "must not be empty"));
  }
  if (apiVersion === "v1" && kind === "Event") {
    const detail = "/v1, Kind=Event is disallowed from being an owner";
    errors.push(FieldError.invalid(path, inStructOrder(reference), detail));
  }
  return errors;
}

/** The version of an apiVersion; empty where it cannot be read. */
function versionOf(apiVersion: string): string {
  const parts = apiVersion.split("/");
  return parts.length > 2 ? "" : (parts.at(-1) ?? "");
}

function inStructOrder(reference: Partial<OwnerReference>): OwnerReference {
  const { apiVersion = "", kind = "", name = "", uid = "" } = reference;
  const { controller, blockOwnerDeletion } = reference;
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller != null && { controller }),
    ...(blockOwnerDeletion != null && { blockOwnerDeletion }),
  };
}

function checkFinalizers(finalizers: readonly string[] | undefined): FieldError[] {
  if (!finalizers) return [];
  const errors = finalizers.flatMap((finalizer) =>
    checkLabelKey(finalizer).map((text) => FieldError.invalid(FINALIZERS, finalizer, text)),
  );
  if (finalizers.includes(ORPHAN) && finalizers.includes(FOREGROUND)) {
    const detail = `finalizer ${ORPHAN} and ${FOREGROUND} cannot be both set`;
    errors.push(FieldError.invalid(FINALIZERS, finalizers, detail));
  }
  return errors;
}

/** Names that only have to fit in a URL: RBAC. */
export const nameIsPathSegment: NameCheck = (name, { prefix }) =>
  prefix ? checkPathSegmentPrefix(name) : checkPathSegmentName(name);

/** Names that are DNS subdomains: most kinds. */
export const nameIsDnsSubdomain: NameCheck = (name, { prefix }) =>
  checkDns1123Subdomain(prefix ? maskTrailingDash(name) : name);

/** Names that are one DNS label: namespaces, services. */
export const nameIsDnsLabel: NameCheck = (name, { prefix }) =>
  checkDns1123Label(prefix ? maskTrailingDash(name) : name);

/** A prefix may end in a dash, since characters follow. (The one before it is given up as well.) */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}
