import type { PersistentVolume, PersistentVolumeClaim } from "@homeostat/object-model/core-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const core = { group: "", version: "v1" } as const;
const time = "2020-01-01T00:00:00Z";
const capacity = { storage: "5Gi" };
const accessModes = ["ReadWriteOnce"];
const usual = { capacity, accessModes };
const secret = { name: "s", namespace: "probes" };

const volumes = {
  host: {
    spec: {
      ...usual,
      hostPath: { path: "/data", type: "DirectoryOrCreate" },
      persistentVolumeReclaimPolicy: "Retain",
      storageClassName: "slow",
      mountOptions: ["hard"],
      volumeMode: "Filesystem",
      claimRef: {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        namespace: "probes",
        name: "claim",
        uid: "11111111-2222-3333-4444-555555555555",
        resourceVersion: "7",
      },
    },
    status: { phase: "Bound", message: "x", reason: "y", lastPhaseTransitionTime: time },
  },
  local: {
    spec: {
      ...usual,
      local: { path: "/mnt/disk", fsType: "ext4" },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: "kubernetes.io/hostname", operator: "In", values: ["node-1"] },
              ],
              matchFields: [{ key: "metadata.name", operator: "In", values: ["node-1"] }],
            },
          ],
        },
      },
    },
  },
  csi: {
    spec: {
      ...usual,
      volumeAttributesClassName: "gold",
      storageClassName: "fast",
      csi: {
        driver: "csi.example.com",
        volumeHandle: "vol-1",
        readOnly: true,
        fsType: "ext4",
        volumeAttributes: { a: "b" },
        controllerPublishSecretRef: secret,
        nodeStageSecretRef: secret,
        nodePublishSecretRef: secret,
        controllerExpandSecretRef: secret,
        nodeExpandSecretRef: secret,
      },
    },
  },
  gce: {
    spec: {
      ...usual,
      gcePersistentDisk: { pdName: "d", fsType: "ext4", partition: 1, readOnly: true },
    },
  },
  aws: {
    spec: {
      ...usual,
      awsElasticBlockStore: { volumeID: "v", fsType: "ext4", partition: 1, readOnly: true },
    },
  },
  nfs: { spec: { ...usual, nfs: { server: "nfs.example", path: "/export", readOnly: true } } },
  gluster: {
    spec: {
      ...usual,
      glusterfs: { endpoints: "e", path: "p", readOnly: true, endpointsNamespace: "probes" },
    },
  },
  rbd: {
    spec: {
      ...usual,
      rbd: {
        monitors: ["m"],
        image: "i",
        fsType: "ext4",
        pool: "rbd",
        user: "admin",
        keyring: "/k",
        secretRef: secret,
        readOnly: true,
      },
    },
  },
  iscsi: {
    spec: {
      ...usual,
      iscsi: {
        targetPortal: "10.5.5.5:3260",
        iqn: "iqn.2001-04.com.example:storage.disk1",
        lun: 1,
        iscsiInterface: "default",
        portals: ["10.5.5.6:3260"],
        chapAuthDiscovery: true,
        chapAuthSession: true,
        secretRef: secret,
        initiatorName: "iqn.2001-04.com.example:client",
      },
    },
  },
  cinder: {
    spec: {
      ...usual,
      cinder: { volumeID: "v", fsType: "ext4", readOnly: true, secretRef: secret },
    },
  },
  cephfs: {
    spec: {
      ...usual,
      cephfs: {
        monitors: ["m"],
        path: "/a",
        user: "u",
        secretFile: "/f",
        secretRef: secret,
        readOnly: true,
      },
    },
  },
  fc: {
    spec: {
      ...usual,
      fc: { targetWWNs: ["50060e801049cfd1"], lun: 0, fsType: "ext4", readOnly: true },
    },
  },
  flocker: { spec: { ...usual, flocker: { datasetName: "d" } } },
  flex: {
    spec: {
      ...usual,
      flexVolume: {
        driver: "example.com/flex",
        fsType: "ext4",
        secretRef: secret,
        readOnly: true,
        options: { a: "b" },
      },
    },
  },
  azurefile: {
    spec: {
      ...usual,
      azureFile: { secretName: "s", shareName: "h", readOnly: true, secretNamespace: "probes" },
    },
  },
  vsphere: { spec: { ...usual, vsphereVolume: { volumePath: "[ds] a.vmdk", fsType: "ext4" } } },
  quobyte: {
    spec: {
      ...usual,
      quobyte: { registry: "r:1", volume: "v", readOnly: true, user: "u", group: "g", tenant: "t" },
    },
  },
  azuredisk: {
    spec: {
      ...usual,
      azureDisk: {
        diskName: "d",
        diskURI: "/subscriptions/a/d",
        cachingMode: "None",
        fsType: "ext4",
        kind: "Managed",
      },
    },
  },
  photon: { spec: { ...usual, photonPersistentDisk: { pdID: "1", fsType: "ext4" } } },
  portworx: {
    spec: { ...usual, portworxVolume: { volumeID: "v", fsType: "ext4", readOnly: true } },
  },
  scale: {
    spec: {
      ...usual,
      scaleIO: {
        gateway: "https://g",
        system: "s",
        secretRef: secret,
        volumeName: "v",
        storageMode: "ThickProvisioned",
        fsType: "xfs",
      },
    },
  },
  storageos: {
    spec: {
      ...usual,
      storageos: {
        volumeName: "v",
        volumeNamespace: "n",
        fsType: "ext4",
        secretRef: { ...secret, kind: "Secret" },
      },
    },
  },
  block: {
    spec: {
      ...usual,
      accessModes: ["ReadWriteOncePod"],
      volumeMode: "Block",
      local: { path: "/dev/x" },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }] },
      },
    },
  },
} satisfies Variants<PersistentVolume>;

const claims = {
  plain: {
    spec: {
      accessModes: ["ReadWriteOnce", "ReadOnlyMany"],
      selector: {
        matchLabels: { a: "b" },
        matchExpressions: [{ key: "c", operator: "In", values: ["d"] }],
      },
      resources: { requests: capacity, limits: { storage: "10Gi" } },
      volumeName: "volume-1",
      storageClassName: "fast",
      volumeMode: "Filesystem",
    },
    status: {
      phase: "Bound",
      accessModes: ["ReadWriteOnce"],
      capacity,
      conditions: [
        {
          type: "Resizing",
          status: "True",
          lastProbeTime: time,
          lastTransitionTime: time,
          reason: "Because",
          message: "x",
        },
      ],
      allocatedResources: capacity,
      allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
      currentVolumeAttributesClassName: "gold",
      modifyVolumeStatus: { targetVolumeAttributesClassName: "silver", status: "Pending" },
    },
  },
  snapshot: {
    spec: {
      accessModes,
      resources: { requests: capacity },
      volumeAttributesClassName: "gold",
      dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "snap" },
    },
  },
  referenced: {
    spec: {
      accessModes,
      resources: { requests: capacity },
      volumeMode: "Block",
      dataSourceRef: { apiGroup: "example.com", kind: "Thing", name: "one" },
    },
  },
  cloned: {
    spec: {
      accessModes: ["ReadWriteOncePod"],
      resources: { requests: capacity },
      dataSource: { kind: "PersistentVolumeClaim", name: "other" },
    },
  },
  bound: {
    spec: {
      accessModes,
      resources: { requests: capacity },
      volumeName: "volume-1",
      storageClassName: "fast",
      volumeAttributesClassName: "gold",
    },
    status: {
      phase: "Bound",
      accessModes,
      capacity,
      currentVolumeAttributesClassName: "gold",
    },
  },
} satisfies Variants<PersistentVolumeClaim>;

export const persistentVolumes: ProbedKind = {
  ...core,
  name: "persistentvolumes",
  plural: "persistentvolumes",
  variants: volumes,
};

export const persistentVolumeClaims: ProbedKind = {
  ...core,
  name: "persistentvolumeclaims",
  plural: "persistentvolumeclaims",
  variants: claims,
  withStatus: ["bound"],
};
