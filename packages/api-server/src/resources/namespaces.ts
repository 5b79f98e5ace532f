/**
 * Namespaces. Deleting one only begins: it stays, Terminating, until `spec.finalizers` is emptied
 * through the finalize subresource, which is where what it contains is removed first.
 */

import { isBeingDeleted, ownKey, setOwnKey } from "@homeostat/object-model";
import type { Namespace } from "@homeostat/object-model/core-v1";
import type { Strategy, SubresourceStrategy } from "../registry/strategy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import {
  namespaceAgain,
  namespaceFinalizeChange,
  namespaceStatusChange,
} from "../rules/namespace.ts";
import { nameIsDnsLabel } from "./object-meta.ts";
import { keepSpec } from "./status-updates.ts";

const FINALIZER = "kubernetes";
const NAME_LABEL = "kubernetes.io/metadata.name";

const status: SubresourceStrategy<Namespace> = {
  prepareForUpdate: keepSpec,
  validateUpdate: changeCheckOf(namespaceStatusChange),
};

const finalize: SubresourceStrategy<Namespace> = {
  prepareForUpdate(namespace, old) {
    if (old.status === undefined) delete namespace.status;
    else namespace.status = old.status;
  },
  validateUpdate: changeCheckOf(namespaceFinalizeChange),
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

  revalidate: changeCheckOf(namespaceAgain),
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
