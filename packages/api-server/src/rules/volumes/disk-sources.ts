/** Disks of clouds and of storage systems that have an API server of their own. */
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFilePersistentVolumeSource,
  AzureFileVolumeSource,
  CinderPersistentVolumeSource,
  CinderVolumeSource,
  FlexVolumeSource,
  GCEPersistentDiskVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  ScaleIOVolumeSource,
  StorageOSPersistentVolumeSource,
  StorageOSVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from "@homeostat/object-model/core-v1";
import {
  all,
  dns1123Label,
  fields,
  firstOf,
  ifPresent,
  ifSet,
  oneOf,
  type Rule,
  required,
} from "@homeostat/schema";

/** 0 is none, whatever the message says. */
const partition: Rule<number> = (value = 0, place) => {
  if (value < 0 || value > 255) place.invalid(value, "must be between 1 and 255, inclusive");
};

const namedSecret = ifPresent(fields<{ name?: string }>({ name: required }));
const namespacedSecret = ifPresent(
  fields<{ name?: string; namespace?: string }>({ name: required, namespace: required }),
);

export const gceDisk: Rule<GCEPersistentDiskVolumeSource> = fields<GCEPersistentDiskVolumeSource>({
  pdName: required,
  partition,
});

export const awsDisk: Rule<AWSElasticBlockStoreVolumeSource> =
  fields<AWSElasticBlockStoreVolumeSource>({ volumeID: required, partition });

export const cinder: Rule<CinderVolumeSource> = fields<CinderVolumeSource>({
  volumeID: required,
  secretRef: namedSecret,
});

export const persistentCinder: Rule<CinderPersistentVolumeSource> =
  fields<CinderPersistentVolumeSource>({ volumeID: required, secretRef: namespacedSecret });

export const azureFile: Rule<AzureFileVolumeSource> = fields<AzureFileVolumeSource>({
  secretName: required,
  shareName: required,
});

export const persistentAzureFile: Rule<AzureFilePersistentVolumeSource> =
  fields<AzureFilePersistentVolumeSource>({
    secretName: required,
    shareName: required,
    secretNamespace: ifPresent(required),
  });

const MANAGED_DISK =
  "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const BLOB_DISK = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

export const azureDisk: Rule<AzureDiskVolumeSource> = all(
  fields<AzureDiskVolumeSource>({
    diskName: required,
    diskURI: required,
    cachingMode: ifPresent(oneOf("None", "ReadOnly", "ReadWrite")),
    kind: ifPresent(oneOf("Dedicated", "Managed", "Shared")),
  }),
  (source, place) => {
    const { kind, diskURI = "" } = source ?? {};
    if (kind === undefined) return;
    const managed = kind === "Managed";
    if (diskURI.startsWith(managed ? "/subscriptions/" : "https://")) return;
    place.child("diskURI").notSupported(diskURI, [managed ? MANAGED_DISK : BLOB_DISK]);
  },
);

export const vsphereDisk: Rule<VsphereVirtualDiskVolumeSource> =
  fields<VsphereVirtualDiskVolumeSource>({ volumePath: required });

export const photonDisk: Rule<PhotonPersistentDiskVolumeSource> =
  fields<PhotonPersistentDiskVolumeSource>({ pdID: required });

export const portworx: Rule<PortworxVolumeSource> = fields<PortworxVolumeSource>({
  volumeID: required,
});

type ScaleIO = Pick<ScaleIOVolumeSource, "gateway" | "system" | "volumeName">;

/** For persistent volumes too: what differs is not checked. */
export const scaleIO: Rule<ScaleIO> = fields<ScaleIO>({
  gateway: required,
  system: required,
  volumeName: required,
});

const storageOSNames = fields<StorageOSVolumeSource | StorageOSPersistentVolumeSource>({
  volumeName: firstOf(required, dns1123Label),
  volumeNamespace: ifSet(dns1123Label),
});

export const storageOS: Rule<StorageOSVolumeSource> = all(
  storageOSNames,
  fields<StorageOSVolumeSource>({ secretRef: namedSecret }),
);

export const persistentStorageOS: Rule<StorageOSPersistentVolumeSource> = all(
  storageOSNames,
  fields<StorageOSPersistentVolumeSource>({ secretRef: namespacedSecret }),
);

type FlexVolume = Pick<FlexVolumeSource, "driver" | "options">;

/** For persistent volumes too. Kubernetes keeps options under its own domains for itself. */
export const flexVolume: Rule<FlexVolume> = fields<FlexVolume>({
  driver: required,
  options: (options, place) => {
    for (const key of Object.keys(options ?? {})) {
      const domain = `.${(key.split("/", 1)[0] ?? "").toLowerCase()}`;
      if (!domain.endsWith(".kubernetes.io") && !domain.endsWith(".k8s.io")) continue;
      place.key(key).invalid(key, "kubernetes.io and k8s.io namespaces are reserved");
    }
  },
});
