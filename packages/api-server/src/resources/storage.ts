/**
 * The kinds of the storage group. Classes are fixed but for what only matters later; attachments
 * and capacities are records that are replaced, not changed.
 */

import { FieldPath } from "@homeostat/object-model";
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from "@homeostat/object-model/storage-v1";
import { Place } from "@homeostat/schema";
import type { Strategy } from "../registry/strategy.ts";
import { volumeAttachment } from "../rules/volume-attachment.ts";
import { deprecatedNodeLabel } from "./deprecated-node-labels.ts";
import { checkImmutable, checkImmutablePart } from "./field-checks.ts";
import { sameForm } from "./internal-form.ts";
import { statusWithoutMetadata } from "./status-updates.ts";
import { warnAt } from "./warn-at.ts";

export const storageClasses: Strategy<StorageClass> = {
  validateUpdate: (storageClass, old) =>
    (["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] as const).flatMap((name) =>
      checkImmutable({
        path: FieldPath.of(name),
        // Of these only the provisioner is no pointer.
        value: storageClass[name] ?? (name === "provisioner" ? "" : undefined),
        old: old[name],
      }),
    ),
  warnings: (storageClass) =>
    (storageClass.allowedTopologies ?? []).flatMap((term, index) =>
      (term.matchLabelExpressions ?? []).flatMap(({ key }, place) => {
        const why = deprecatedNodeLabel(key);
        const path = FieldPath.of("allowedTopologies").index(index);
        const at = path.child("matchLabelExpressions").index(place).child("key");
        return why === undefined ? [] : [warnAt(at, why)];
      }),
    ),
};

export const volumeAttachments: Strategy<VolumeAttachment> = {
  unconditionalUpdate: false,
  validateUpdate: (attachment, old) =>
    checkImmutablePart("storage.VolumeAttachmentSpec", {
      path: FieldPath.of("spec"),
      value: attachment.spec ?? {},
      old: old.spec ?? {},
    }),
  subresources: {
    status: {
      ...statusWithoutMetadata,
      validateUpdate: (attachment, _old, context) => {
        const place = Place.root(context);
        volumeAttachment(attachment, place);
        return place.errors;
      },
    },
  },
};

const TOKENS_IN_SECRETS =
  "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes";

export const csiDrivers: Strategy<CSIDriver> = {
  unconditionalUpdate: false,

  prepareForCreate(driver) {
    delete driver.spec?.preventPodSchedulingIfMissing;
  },

  prepareForUpdate(driver, old) {
    if (old.spec?.preventPodSchedulingIfMissing === undefined) {
      delete driver.spec?.preventPodSchedulingIfMissing;
    }
    // It is created without a generation and still counts changes.
    if (!sameForm(driver.spec ?? null, old.spec ?? null)) {
      driver.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  },

  validateUpdate: (driver, old) => [
    ...checkImmutable({
      // The path is misspelt in Kubernetes.
      path: FieldPath.of("spec", "attachedRequired"),
      value: driver.spec?.attachRequired,
      old: old.spec?.attachRequired,
    }),
    ...checkImmutable({
      path: FieldPath.of("spec", "volumeLifecycleModes"),
      value: driver.spec?.volumeLifecycleModes,
      old: old.spec?.volumeLifecycleModes,
    }),
  ],

  warnings(driver, old) {
    const requests = driver.spec?.tokenRequests ?? [];
    if (requests.length === 0 || driver.spec?.serviceAccountTokenInSecrets !== undefined) return [];
    const same = old !== undefined && sameForm(old.spec?.tokenRequests ?? null, requests);
    return same ? [] : [TOKENS_IN_SECRETS];
  },
};

export const csiNodes: Strategy<CSINode> = {
  unconditionalUpdate: false,
  validateUpdate(node, old) {
    const drivers = Map.groupBy(node.spec?.drivers ?? [], ({ name }) => name);
    return (old.spec?.drivers ?? []).flatMap((before) => {
      // How much a driver can hold may change.
      const { allocatable: _, ...kept } = before;
      return (drivers.get(before.name) ?? []).flatMap(({ allocatable: __, ...value }) =>
        checkImmutablePart("storage.CSINodeDriver", {
          path: FieldPath.of("spec", "drivers"),
          value,
          old: kept,
        }),
      );
    });
  },
};

export const csiStorageCapacities: Strategy<CSIStorageCapacity> = {
  unconditionalUpdate: false,
  validateUpdate: (capacity, old) => [
    ...checkImmutablePart("LabelSelector", {
      path: FieldPath.of("nodeTopology"),
      value: capacity.nodeTopology,
      old: old.nodeTopology,
    }),
    ...checkImmutable({
      path: FieldPath.of("storageClassName"),
      value: capacity.storageClassName ?? "",
      old: old.storageClassName ?? "",
    }),
  ],
};
