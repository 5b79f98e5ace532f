import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from "@homeostat/object-model/storage-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const drivers = {
  plain: { metadata: { name: "csi.example.com" }, spec: {} },
  full: {
    metadata: { name: "full.example.com" },
    spec: {
      attachRequired: true,
      podInfoOnMount: true,
      volumeLifecycleModes: ["Persistent", "Ephemeral"],
      storageCapacity: true,
      fsGroupPolicy: "File",
      tokenRequests: [{ audience: "a", expirationSeconds: 600 }, { audience: "b" }],
      requiresRepublish: true,
      seLinuxMount: true,
      nodeAllocatableUpdatePeriodSeconds: 30,
    },
  },
} satisfies Variants<CSIDriver>;

const csiNodes = {
  plain: {
    spec: {
      drivers: [
        {
          name: "csi.example.com",
          nodeID: "node-1",
          topologyKeys: ["example.com/zone"],
          allocatable: { count: 5 },
        },
        { name: "other.example.com", nodeID: "node-1" },
      ],
    },
  },
} satisfies Variants<CSINode>;

const capacities = {
  plain: {
    storageClassName: "fast",
    nodeTopology: {
      matchLabels: { zone: "a" },
      matchExpressions: [{ key: "b", operator: "In", values: ["c"] }],
    },
    capacity: "10Gi",
    maximumVolumeSize: "1Gi",
  },
} satisfies Variants<CSIStorageCapacity>;

const classes = {
  plain: { provisioner: "csi.example.com" },
  full: {
    provisioner: "example.com/disk",
    parameters: { type: "ssd" },
    reclaimPolicy: "Retain",
    mountOptions: ["debug"],
    allowVolumeExpansion: true,
    volumeBindingMode: "WaitForFirstConsumer",
    allowedTopologies: [{ matchLabelExpressions: [{ key: "zone", values: ["a", "b"] }] }],
  },
} satisfies Variants<StorageClass>;

const time = "2020-01-01T00:00:00Z";
const attachments = {
  plain: {
    spec: {
      attacher: "csi.example.com",
      nodeName: "node-1",
      source: { persistentVolumeName: "pv" },
    },
    status: {
      attached: true,
      attachmentMetadata: { a: "b" },
      attachError: { time, message: "x", errorCode: 5 },
      detachError: { time, message: "y" },
    },
  },
  inline: {
    spec: {
      attacher: "csi.example.com",
      nodeName: "node-1",
      source: {
        inlineVolumeSpec: {
          accessModes: ["ReadWriteOnce"],
          csi: { driver: "csi.example.com", volumeHandle: "h" },
        },
      },
    },
  },
} satisfies Variants<VolumeAttachment>;

const attributes = {
  plain: { driverName: "csi.example.com", parameters: { iops: "100" } },
} satisfies Variants<VolumeAttributesClass>;

const storage = { group: "storage.k8s.io", version: "v1" } as const;

export const storageKinds: readonly ProbedKind[] = [
  { ...storage, name: "csidrivers", plural: "csidrivers", variants: drivers },
  { ...storage, name: "csinodes", plural: "csinodes", variants: csiNodes },
  {
    ...storage,
    name: "csistoragecapacities",
    plural: "csistoragecapacities",
    variants: capacities,
  },
  { ...storage, name: "storageclasses", plural: "storageclasses", variants: classes },
  { ...storage, name: "volumeattachments", plural: "volumeattachments", variants: attachments },
  {
    ...storage,
    name: "volumeattributesclasses",
    plural: "volumeattributesclasses",
    variants: attributes,
  },
];
