import { ApiError, FieldError, FieldPath, type KubernetesObject } from "@homeostat/object-model";
import type { StoredKind } from "./served-resource.ts";
import { objectKeyIn } from "./storage-key.ts";
import { metadataOf } from "./system-metadata.ts";
import { isUnsigned, unsignedProblem } from "./unsigned-text.ts";
import type { WriteScope } from "./write-scope.ts";

/** An object is of the namespace that was asked for, also after others have changed it. */
export function checkPlace(
  { namespaced }: StoredKind,
  object: KubernetesObject | undefined,
  { namespace }: WriteScope,
): void {
  const metadata = object?.metadata;
  if (metadata === undefined) return;
  if (!namespaced) delete metadata.namespace;
  else if (!metadata.namespace) metadata.namespace = namespace;
  else if (metadata.namespace !== namespace) {
    throw ApiError.badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
}

interface Rewritten {
  readonly object: KubernetesObject;
  readonly old: Readonly<KubernetesObject>;
  readonly revision: number;
}

/** Refuses an object that says it is meant for another state, or for another object of its name. */
export function checkPreconditions(
  kind: StoredKind,
  { object, old, revision }: Rewritten,
  { uidPrecondition, dryRun }: WriteScope,
): void {
  const { strategy, groupResource } = kind;
  const { uid, resourceVersion, name = "" } = metadataOf(object);
  if (uid && uidPrecondition === true && uid !== old.metadata?.uid) {
    const key = objectKeyIn(kind, old.metadata?.namespace ?? "", old.metadata?.name ?? "");
    throw uidConflict(kind, { key, uid, found: old.metadata?.uid, name, dryRun });
  }
  if (!resourceVersion || /^0+$/.test(resourceVersion)) {
    if (strategy.unconditionalUpdate !== false) return;
    const path = FieldPath.of("metadata", "resourceVersion");
    const error = FieldError.invalid(path, 0, "must be specified for an update");
    const { group, resource } = groupResource;
    throw ApiError.invalid({ group, kind: resource }, name, [error]);
  }
  checkUnsigned(resourceVersion);
  if (resourceVersion !== String(revision)) throw ApiError.conflict(groupResource, name);
}

interface UidConflict {
  readonly key: string;
  readonly name: string;
  readonly uid: string;
  readonly found?: string | undefined;
  readonly dryRun: boolean;
}

export function uidConflict(
  { groupResource }: StoredKind,
  { key, name, uid, found = "", dryRun }: UidConflict,
): ApiError {
  // A dry run does not get as far as the storage that prefixes keys.
  const shown = dryRun ? key.replace(/^\/registry/, "") : key;
  const why = `StorageError: invalid object, Code: 4, Key: ${shown}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`;
  return ApiError.conflict(groupResource, name, why);
}

export function checkUnsigned(resourceVersion: string): void {
  if (isUnsigned(resourceVersion)) return;
  throw new ApiError({ message: unsignedProblem(resourceVersion), httpStatus: 500 });
}

/** The version that an object names: what is none at all is passed over and is 0. */
export function versionOf({ metadata }: KubernetesObject): number {
  const given = metadata?.resourceVersion ?? "";
  return isUnsigned(given) ? Number(given) : 0;
}

export function resourceVersionSet(): ApiError {
  return new ApiError({
    message: "resourceVersion should not be set on objects to be created",
    httpStatus: 500,
  });
}
