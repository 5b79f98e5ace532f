/** Rules about the volumes of a pod and where containers mount them. */
import { type ExtraProbe, extras } from "../probe.ts";

const container = "spec.containers[0]";
const security = `${container}.securityContext`;

export const podVolumeExtras: readonly ExtraProbe[] = [
  ...extras("plain", "create", {
    "propagation without privilege": {
      "spec.volumes": [{ name: "v", emptyDir: {} }],
      [`${container}.volumeMounts`]: [
        { name: "v", mountPath: "/v", mountPropagation: "Bidirectional" },
      ],
    },
    "propagation with privilege": {
      "spec.volumes": [{ name: "v", emptyDir: {} }],
      [security]: { privileged: true },
      [`${container}.volumeMounts`]: [
        { name: "v", mountPath: "/v", mountPropagation: "Bidirectional" },
      ],
    },
    "recursive but not read only": {
      "spec.volumes": [{ name: "v", emptyDir: {} }],
      [`${container}.volumeMounts`]: [{ name: "v", mountPath: "/v", recursiveReadOnly: "Enabled" }],
    },
    "recursive with propagation": {
      "spec.volumes": [{ name: "v", emptyDir: {} }],
      [`${container}.volumeMounts`]: [
        {
          name: "v",
          mountPath: "/v",
          readOnly: true,
          recursiveReadOnly: "IfPossible",
          mountPropagation: "HostToContainer",
        },
      ],
    },
    "sub path both ways": {
      "spec.volumes": [{ name: "v", emptyDir: {} }],
      [`${container}.volumeMounts`]: [
        { name: "v", mountPath: "/v", subPath: "a", subPathExpr: "b" },
      ],
    },
    "mount and device of one name": {
      "spec.volumes": [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
      [`${container}.volumeMounts`]: [{ name: "v", mountPath: "/v" }],
      [`${container}.volumeDevices`]: [{ name: "v", devicePath: "/v" }],
    },
    "device of a volume that is no claim": {
      "spec.volumes": [{ name: "v", emptyDir: {} }],
      [`${container}.volumeDevices`]: [{ name: "v", devicePath: "/dev/v" }],
    },
    "claim of an ephemeral volume": {
      "spec.volumes": [
        {
          name: "e",
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
            },
          },
        },
        { name: "c", persistentVolumeClaim: { claimName: "plain-e" } },
      ],
    },
    "paths of projected sources collide": {
      "spec.volumes": [
        {
          name: "p",
          projected: {
            sources: [
              { secret: { name: "a", items: [{ key: "k", path: "x" }] } },
              { configMap: { name: "b", items: [{ key: "k", path: "x" }] } },
              { downwardAPI: { items: [{ path: "x", fieldRef: { fieldPath: "metadata.name" } }] } },
            ],
          },
        },
      ],
    },
    "trust bundles": {
      "spec.volumes": [
        {
          name: "p",
          projected: {
            sources: [
              { clusterTrustBundle: { path: "a", name: "b", signerName: "c.com/d" } },
              { clusterTrustBundle: { path: "e" } },
              { clusterTrustBundle: { path: "f", name: "g", labelSelector: {} } },
              { clusterTrustBundle: { path: "h", signerName: "nosigner" } },
            ],
          },
        },
      ],
    },
    "pod certificates": {
      "spec.volumes": [
        {
          name: "p",
          projected: {
            sources: [
              { podCertificate: { signerName: "a.com/b", keyType: "ED25519" } },
              {
                podCertificate: {
                  signerName: "a",
                  keyType: "X",
                  keyPath: "a",
                  maxExpirationSeconds: 5,
                },
              },
              {
                podCertificate: {
                  signerName: "a.com/b",
                  keyType: "RSA3072",
                  credentialBundlePath: "../x",
                  maxExpirationSeconds: 99_999_999,
                },
              },
            ],
          },
        },
      ],
    },
  }),
];
