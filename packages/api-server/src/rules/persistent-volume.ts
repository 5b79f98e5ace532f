/** Persistent volumes. The protection finalizer comes from admission. */
import { ownKey } from "@homeostat/object-model";
import type { PersistentVolume, PersistentVolumeSpec } from "@homeostat/object-model/core-v1";
import type { ChangeRule, Place } from "@homeostat/schema";
import { type NamedTypeRules, type RuleContext, rulesFor, type Unchecked } from "./type-rules.ts";
import { checkVolumeSpec } from "./volumes/persistent-volume-spec.ts";

export const persistentVolumeRules: readonly NamedTypeRules[] = [
  rulesFor<PersistentVolume>("core.v1.PersistentVolume", {
    setDefaults: setVolumeDefaults,
    validate(volume, place) {
      checkSpec(volume, place);
      mountOptions(volume, place);
    },
    // All of it between two looks at the metadata: see the strategy.
    validateChange: () => undefined,
  }),
  rulesFor<PersistentVolumeSpec>("core.v1.PersistentVolumeSpec", { resourceLists: ["capacity"] }),
];

/** The first look of an update. */
export const volumeAgain: ChangeRule<PersistentVolume, RuleContext> = ({ value, old }, place) => {
  checkSpec(value, place, old);
  mountOptions(value, place);
};

/** The second. */
export const volumeSpecAgain: ChangeRule<PersistentVolume, RuleContext> = ({ value, old }, place) =>
  checkSpec(value, place, old);

/** Not rules of the spec's type: the volume inside a VolumeAttachment gets none of these. */
function setVolumeDefaults(volume: Unchecked<PersistentVolume>): void {
  volume.spec ??= {};
  volume.spec.persistentVolumeReclaimPolicy ||= "Retain";
  volume.spec.volumeMode ??= "Filesystem";
  volume.status ??= {};
  volume.status.phase ||= "Pending";
}

function checkSpec(
  volume: Readonly<PersistentVolume> | undefined,
  place: Place,
  old?: Readonly<PersistentVolume>,
): void {
  const volumeName = volume?.metadata?.name ?? "";
  checkVolumeSpec(volume?.spec ?? {}, place.child("spec"), {
    volumeName,
    ...(old?.spec === undefined ? {} : { old: old.spec }),
  });
}

/** Sources that know the annotation for mount options; others have to use the field. */
const MOUNTED_WITH_OPTIONS = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
] as const satisfies readonly (keyof PersistentVolumeSpec)[];

const MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";

function mountOptions(volume: Readonly<PersistentVolume> | undefined, place: Place): void {
  if (ownKey(volume?.metadata?.annotations, MOUNT_OPTIONS) === undefined) return;
  if (MOUNTED_WITH_OPTIONS.some((source) => volume?.spec?.[source])) return;
  const at = place.child("metadata").child("annotations").child(MOUNT_OPTIONS);
  at.forbidden("may not specify mount options for this volume type");
}
