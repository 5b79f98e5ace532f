/**
 * Namespaces. Deleting one only begins: it stays, Terminating, until `spec.finalizers` is emptied
 * through the finalize subresource, which is where what it contains is removed first.
 */

import {
  checkLabelKey,
  FieldError,
  FieldPath,
  isBeingDeleted,
  ownKey,
  setOwnKey,
} from "@homeostat/object-model";
import type { Namespace } from "@homeostat/object-model/core-v1";
import type { Strategy, SubresourceStrategy } from "../registry/strategy.ts";
import { nameIsDnsLabel } from "./object-meta.ts";
import { keepSpec } from "./status-updates.ts";

const FINALIZER = "kubernetes";
const NAME_LABEL = "kubernetes.io/metadata.name";
/** Finalizers whose names have no domain. */
const STANDARD_FINALIZERS = new Set([FINALIZER, "orphan", "foregroundDeletion"]);

const status: SubresourceStrategy<Namespace> = {
  prepareForUpdate: keepSpec,

  validateUpdate(namespace) {
    const phase = namespace.status?.phase ?? "";
    const path = FieldPath.of("status", "Phase");
    const [expected, when] = isBeingDeleted(namespace)
      ? ["Terminating", "is not empty"]
      : ["Active", "is empty"];
    if (phase === expected) return [];
    const why = `may only be '${expected}' if \`deletionTimestamp\` ${when}`;
    return [FieldError.invalid(path, phase, why)];
  },
};

const finalize: SubresourceStrategy<Namespace> = {
  prepareForUpdate(namespace, old) {
    if (old.status === undefined) delete namespace.status;
    else namespace.status = old.status;
  },

  validateUpdate: (namespace) =>
    (namespace.spec?.finalizers ?? []).flatMap((name, index) =>
      checkFinalizer(name, FieldPath.of("spec", "finalizers").index(index)),
    ),
};

export const namespaces: Strategy<Namespace> = {
  checkName: nameIsDnsLabel,
  selectableFields: { "status.phase": (namespace) => namespace.status?.phase ?? "" },

  prepareForCreate(namespace) {
    namespace.status = { phase: "Active" };
    const finalizers = namespace.spec?.finalizers ?? [];
    if (!finalizers.includes(FINALIZER)) {
      namespace.spec = { ...namespace.spec, finalizers: [...finalizers, FINALIZER] };
    }
    labelWithName(namespace);
  },

  prepareForUpdate(namespace, old) {
    const { finalizers: _, ...spec } = namespace.spec ?? {};
    const kept = old.spec?.finalizers;
    namespace.spec = kept === undefined ? spec : { ...spec, finalizers: kept };
    labelWithName(namespace);
  },

  validate: checkFinalizers,
  validateUpdate: checkFinalizers,
  subresources: { status, finalize },

  prepareForDelete(namespace) {
    namespace.status = { ...namespace.status, phase: "Terminating" };
  },

  // The first request only marks it, even when nothing holds it.
  mustStay: (namespace) =>
    !isBeingDeleted(namespace) || (namespace.spec?.finalizers ?? []).length > 0,
};

function labelWithName({ metadata }: Namespace): void {
  if (!metadata.name || ownKey(metadata.labels, NAME_LABEL) === metadata.name) return;
  metadata.labels = { ...metadata.labels };
  setOwnKey(metadata.labels, NAME_LABEL, metadata.name);
}

function checkFinalizers(namespace: Readonly<Namespace>): FieldError[] {
  const path = FieldPath.of("spec", "finalizers");
  return (namespace.spec?.finalizers ?? []).flatMap((name) => checkFinalizer(name, path));
}

function checkFinalizer(name: string, path: FieldPath): FieldError[] {
  const errors = checkLabelKey(name).map((problem) => FieldError.invalid(path, name, problem));
  if (!name.includes("/") && !STANDARD_FINALIZERS.has(name)) {
    const why = "name is neither a standard finalizer name nor is it fully qualified";
    errors.push(FieldError.invalid(path, name, why));
  }
  return errors;
}
