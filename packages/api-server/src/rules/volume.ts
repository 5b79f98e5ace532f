/** Volumes of a pod, and the sources they share with persistent volumes. */
import type {
  AzureDiskVolumeSource,
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  HostPathVolumeSource,
  ISCSIPersistentVolumeSource,
  ISCSIVolumeSource,
  ProjectedVolumeSource,
  RBDPersistentVolumeSource,
  RBDVolumeSource,
  ScaleIOPersistentVolumeSource,
  ScaleIOVolumeSource,
  SecretVolumeSource,
  ServiceAccountTokenProjection,
  Volume,
} from "@homeostat/object-model/core-v1";
import { imagePullPolicyOf } from "./image-pull-policy.ts";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

const FILE_MODE = 0o644;
const TOKEN_SECONDS = 3600;
const ISCSI = { iscsiInterface: "default" };
const RBD = { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" };
const SCALE_IO = { storageMode: "ThinProvisioned", fsType: "xfs" };

export const volumeRules: readonly NamedTypeRules[] = [
  rulesFor<Volume>("core.v1.Volume", { setDefaults: setVolumeDefaults }),
  rulesFor<HostPathVolumeSource>("core.v1.HostPathVolumeSource", { defaults: { type: "" } }),
  rulesFor<SecretVolumeSource>("core.v1.SecretVolumeSource", {
    defaults: { defaultMode: FILE_MODE },
  }),
  rulesFor<ConfigMapVolumeSource>("core.v1.ConfigMapVolumeSource", {
    defaults: { defaultMode: FILE_MODE },
  }),
  rulesFor<DownwardAPIVolumeSource>("core.v1.DownwardAPIVolumeSource", {
    defaults: { defaultMode: FILE_MODE },
  }),
  rulesFor<ProjectedVolumeSource>("core.v1.ProjectedVolumeSource", {
    defaults: { defaultMode: FILE_MODE },
  }),
  rulesFor<ServiceAccountTokenProjection>("core.v1.ServiceAccountTokenProjection", {
    defaults: { expirationSeconds: TOKEN_SECONDS },
  }),
  rulesFor<AzureDiskVolumeSource>("core.v1.AzureDiskVolumeSource", {
    defaults: { cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" },
  }),
  rulesFor<ISCSIVolumeSource>("core.v1.ISCSIVolumeSource", { defaults: ISCSI }),
  rulesFor<ISCSIPersistentVolumeSource>("core.v1.ISCSIPersistentVolumeSource", { defaults: ISCSI }),
  rulesFor<RBDVolumeSource>("core.v1.RBDVolumeSource", { defaults: RBD }),
  rulesFor<RBDPersistentVolumeSource>("core.v1.RBDPersistentVolumeSource", { defaults: RBD }),
  rulesFor<ScaleIOVolumeSource>("core.v1.ScaleIOVolumeSource", { defaults: SCALE_IO }),
  rulesFor<ScaleIOPersistentVolumeSource>("core.v1.ScaleIOPersistentVolumeSource", {
    defaults: SCALE_IO,
  }),
];

/** A volume without a source is an emptyDir. */
function setVolumeDefaults(volume: Unchecked<Volume>): void {
  if (!hasSource(volume)) volume.emptyDir = {};
  if (volume.image) volume.image.pullPolicy ||= imagePullPolicyOf(volume.image.reference);
}

/** Every field but the name is a source. */
function hasSource(volume: Unchecked<Volume>): boolean {
  for (const [field, value] of Object.entries(volume)) {
    if (field !== "name" && value !== null) return true;
  }
  return false;
}
