/** Persistent volumes and claims. The protection finalizers and a default class come from admission. */
import type {
  PersistentVolume,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
  PersistentVolumeSpec,
  VolumeResourceRequirements,
} from "@homeostat/object-model/core-v1";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

export const persistentVolumeRules: readonly NamedTypeRules[] = [
  rulesFor<PersistentVolume>("core.v1.PersistentVolume", { setDefaults: setVolumeDefaults }),
  rulesFor<PersistentVolumeSpec>("core.v1.PersistentVolumeSpec", { resourceLists: ["capacity"] }),
  rulesFor<PersistentVolumeClaimSpec>("core.v1.PersistentVolumeClaimSpec", {
    defaults: { volumeMode: "Filesystem" },
  }),
  rulesFor<PersistentVolumeClaimStatus>("core.v1.PersistentVolumeClaimStatus", {
    defaults: { phase: "Pending" },
    resourceLists: ["capacity", "allocatedResources"],
  }),
  rulesFor<VolumeResourceRequirements>("core.v1.VolumeResourceRequirements", {
    resourceLists: ["limits", "requests"],
  }),
];

/** Not rules of the spec's type: the volume inside a VolumeAttachment gets none of these. */
function setVolumeDefaults(volume: Unchecked<PersistentVolume>): void {
  volume.spec ??= {};
  volume.spec.persistentVolumeReclaimPolicy ||= "Retain";
  volume.spec.volumeMode ??= "Filesystem";
  volume.status ??= {};
  volume.status.phase ||= "Pending";
}
