import type { Volume } from "@homeostat/object-model/core-v1";

/** One volume of every source. */
export const volumes: Volume[] = [
  { name: "empty", emptyDir: { medium: "Memory", sizeLimit: "1Gi" } },
  { name: "host", hostPath: { path: "/var/log", type: "Directory" } },
  {
    name: "gce",
    gcePersistentDisk: { pdName: "disk", fsType: "ext4", partition: 1, readOnly: true },
  },
  {
    name: "aws",
    awsElasticBlockStore: { volumeID: "vol-1", fsType: "ext4", partition: 1, readOnly: true },
  },
  {
    name: "secret",
    secret: {
      secretName: "passwords",
      items: [{ key: "a", path: "a/b", mode: 256 }],
      defaultMode: 420,
      optional: true,
    },
  },
  { name: "nfs", nfs: { server: "nfs.example", path: "/export", readOnly: true } },
  {
    name: "iscsi",
    iscsi: {
      targetPortal: "10.5.5.5:3260",
      iqn: "iqn.2001-04.com.example:storage.disk1",
      lun: 1,
      iscsiInterface: "default",
      fsType: "ext4",
      readOnly: true,
      portals: ["10.5.5.6:3260"],
      chapAuthDiscovery: true,
      chapAuthSession: true,
      secretRef: { name: "chap" },
      initiatorName: "iqn.2001-04.com.example:client",
    },
  },
  { name: "gluster", glusterfs: { endpoints: "cluster", path: "vol", readOnly: true } },
  { name: "claim", persistentVolumeClaim: { claimName: "data", readOnly: true } },
  {
    name: "rbd",
    rbd: {
      monitors: ["10.6.6.6:6789"],
      image: "img",
      fsType: "ext4",
      pool: "rbd",
      user: "admin",
      keyring: "/etc/ceph/keyring",
      secretRef: { name: "ceph" },
      readOnly: true,
    },
  },
  {
    name: "flex",
    flexVolume: {
      driver: "example.com/flex",
      fsType: "ext4",
      secretRef: { name: "flex" },
      readOnly: true,
      options: { a: "b" },
    },
  },
  {
    name: "cinder",
    cinder: { volumeID: "vol", fsType: "ext4", readOnly: true, secretRef: { name: "c" } },
  },
  {
    name: "cephfs",
    cephfs: {
      monitors: ["10.6.6.6:6789"],
      path: "/a",
      user: "admin",
      secretFile: "/etc/ceph/secret",
      secretRef: { name: "ceph" },
      readOnly: true,
    },
  },
  { name: "flocker", flocker: { datasetName: "data" } },
  {
    name: "downward",
    downwardAPI: {
      defaultMode: 420,
      items: [
        { path: "labels", fieldRef: { fieldPath: "metadata.labels" }, mode: 256 },
        {
          path: "cpu",
          resourceFieldRef: { containerName: "app", resource: "limits.cpu", divisor: "1m" },
        },
      ],
    },
  },
  { name: "fc", fc: { targetWWNs: ["50060e801049cfd1"], lun: 0, fsType: "ext4", readOnly: true } },
  { name: "fcid", fc: { wwids: ["3600508b400105e210000900000490000"] } },
  {
    name: "azurefile",
    azureFile: { secretName: "azure", shareName: "share", readOnly: true },
  },
  {
    name: "config",
    configMap: {
      name: "settings",
      items: [{ key: "a", path: "b", mode: 256 }],
      defaultMode: 420,
      optional: true,
    },
  },
  {
    name: "vsphere",
    vsphereVolume: {
      volumePath: "[ds] a.vmdk",
      fsType: "ext4",
      storagePolicyName: "p",
      storagePolicyID: "1",
    },
  },
  {
    name: "quobyte",
    quobyte: {
      registry: "reg:7861",
      volume: "vol",
      readOnly: true,
      user: "u",
      group: "g",
      tenant: "t",
    },
  },
  {
    name: "azuredisk",
    azureDisk: {
      diskName: "disk",
      diskURI: "https://blob.example/disk.vhd",
      cachingMode: "ReadOnly",
      fsType: "ext4",
      readOnly: true,
      kind: "Shared",
    },
  },
  { name: "photon", photonPersistentDisk: { pdID: "1", fsType: "ext4" } },
  {
    name: "projected",
    projected: {
      defaultMode: 420,
      sources: [
        {
          secret: {
            name: "passwords",
            items: [{ key: "a", path: "s/a", mode: 256 }],
            optional: true,
          },
        },
        {
          configMap: {
            name: "settings",
            items: [{ key: "a", path: "c/a", mode: 256 }],
            optional: true,
          },
        },
        { downwardAPI: { items: [{ path: "d/name", fieldRef: { fieldPath: "metadata.name" } }] } },
        { serviceAccountToken: { audience: "api", expirationSeconds: 3600, path: "token" } },
      ],
    },
  },
  { name: "portworx", portworxVolume: { volumeID: "vol", fsType: "ext4", readOnly: true } },
  {
    name: "scale",
    scaleIO: {
      gateway: "https://gw.example",
      system: "sys",
      secretRef: { name: "sio" },
      sslEnabled: true,
      protectionDomain: "pd",
      storagePool: "sp",
      storageMode: "ThinProvisioned",
      volumeName: "vol",
      fsType: "xfs",
      readOnly: true,
    },
  },
  {
    name: "storageos",
    storageos: {
      volumeName: "vol",
      volumeNamespace: "ns",
      fsType: "ext4",
      readOnly: true,
      secretRef: { name: "s" },
    },
  },
  {
    name: "csi",
    csi: {
      driver: "csi.example.com",
      readOnly: true,
      fsType: "ext4",
      volumeAttributes: { a: "b" },
      nodePublishSecretRef: { name: "csi" },
    },
  },
  {
    name: "ephemeral",
    ephemeral: {
      volumeClaimTemplate: {
        metadata: { labels: { a: "b" }, annotations: { c: "d" } },
        spec: {
          accessModes: ["ReadWriteOnce"],
          selector: { matchLabels: { a: "b" } },
          resources: { requests: { storage: "1Gi" } },
          storageClassName: "fast",
          volumeMode: "Filesystem",
          dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "snap" },
        },
      },
    },
  },
  { name: "image", image: { reference: "registry.example/models:1", pullPolicy: "IfNotPresent" } },
];
