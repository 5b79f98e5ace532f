/** Claims and what they come from: default classes, protection, growth, limits. */
import type { JsonObject } from "@homeostat/object-model";
import {
  as,
  del,
  edited,
  get,
  patch,
  pause,
  post,
  put,
  type RequestStep,
  type Scenario,
  scenario,
  settle,
} from "../scenario.ts";

const claim = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): RequestStep =>
  post("persistentvolumeclaims", {
    metadata: { name, ...metadata },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      ...spec,
    },
  });
const storageClass = (
  name: string,
  more: JsonObject = {},
  annotations: JsonObject = {},
): RequestStep =>
  post("storageclasses", {
    metadata: { name, annotations },
    provisioner: "example.com/disk",
    ...more,
  });
const isDefault = { "storageclass.kubernetes.io/is-default-class": "true" };
const grow = (name: string, storage: string): RequestStep =>
  patch(`persistentvolumeclaims/${name}`, [
    "merge",
    { spec: { resources: { requests: { storage } } } },
  ]);

export const admissionStorage: readonly Scenario[] = [
  scenario(
    "a claim gets the default class",
    claim("before"),
    storageClass("${ns}-a", {}, isDefault),
    settle(),
    claim("none"),
    claim("empty", { storageClassName: "" }),
    claim("named", { storageClassName: "x" }),
    claim("annotated", {}, { annotations: { "volume.beta.kubernetes.io/storage-class": "y" } }),
    post("persistentvolumeclaims", {
      metadata: { generateName: "g-" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
    patch("persistentvolumeclaims/before", ["merge", { metadata: { labels: { a: "b" } } }]),
    del("storageclasses/${ns}-a"),
    storageClass("${ns}-b", {}, { "storageclass.beta.kubernetes.io/is-default-class": "true" }),
    settle(),
    claim("beta"),
    patch("storageclasses/${ns}-b", [
      "merge",
      { metadata: { annotations: { "storageclass.beta.kubernetes.io/is-default-class": "True" } } },
    ]),
    settle(),
    claim("not-beta"),
    del("storageclasses/${ns}-b"),
  ),
  scenario(
    "of several default classes the newest counts",
    storageClass("${ns}-b", {}, isDefault),
    storageClass("${ns}-a", {}, isDefault),
    // Their times are of seconds.
    pause(1100),
    storageClass("${ns}-c", {}, isDefault),
    settle(),
    claim("a"),
    del("storageclasses/${ns}-c"),
    settle(),
    claim("b"),
    del("storageclasses/${ns}-a"),
    del("storageclasses/${ns}-b"),
  ),
  scenario(
    "what is in use is protected",
    claim("a", { storageClassName: "" }),
    claim("b", { storageClassName: "" }, { finalizers: ["kubernetes.io/pvc-protection"] }),
    claim("c", { storageClassName: "" }, { finalizers: ["example.com/f"] }),
    post("persistentvolumes", {
      metadata: { name: "${ns}-v" },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/tmp/x" },
      },
    }),
    post("volumeattributesclasses", {
      metadata: { name: "${ns}-w" },
      driverName: "example.com/disk",
      parameters: { a: "b" },
    }),
    del("persistentvolumeclaims/a"),
    get("persistentvolumeclaims/a"),
    patch("persistentvolumeclaims/a", ["merge", { metadata: { finalizers: null } }]),
    get("persistentvolumeclaims/a"),
    patch("persistentvolumes/${ns}-v", ["merge", { metadata: { finalizers: null } }]),
    del("persistentvolumes/${ns}-v"),
    patch("volumeattributesclasses/${ns}-w", ["merge", { metadata: { finalizers: null } }]),
    del("volumeattributesclasses/${ns}-w"),
  ),
  scenario(
    "claims that grow",
    storageClass("${ns}-a", { allowVolumeExpansion: true }),
    storageClass("${ns}-b"),
    settle(),
    as("a", claim("a", { storageClassName: "${ns}-a", volumeName: "v" })),
    as("b", claim("b", { storageClassName: "${ns}-b", volumeName: "v" })),
    as("c", claim("c", { storageClassName: "", volumeName: "v" })),
    as("d", claim("d", { storageClassName: "ghost", volumeName: "v" })),
    grow("a", "2Gi"),
    put("persistentvolumeclaims/a/status", edited("a", { status: { phase: "Bound" } })),
    put("persistentvolumeclaims/b/status", edited("b", { status: { phase: "Bound" } })),
    put("persistentvolumeclaims/c/status", edited("c", { status: { phase: "Bound" } })),
    put("persistentvolumeclaims/d/status", edited("d", { status: { phase: "Bound" } })),
    grow("a", "2Gi"),
    grow("a", "1Gi"),
    grow("b", "2Gi"),
    grow("b", "1024Mi"),
    grow("c", "2Gi"),
    grow("d", "2Gi"),
    del("storageclasses/${ns}-a"),
    del("storageclasses/${ns}-b"),
  ),
  scenario(
    "limits of claims",
    post("limitranges", {
      metadata: { name: "a" },
      spec: {
        limits: [
          { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } },
          { type: "Container", default: { cpu: "1" } },
        ],
      },
    }),
    settle(),
    claim("little", { storageClassName: "", resources: { requests: { storage: "1Mi" } } }),
    claim("much", { storageClassName: "", resources: { requests: { storage: "3Gi" } } }),
    claim("good", { storageClassName: "" }),
    grow("good", "5Gi"),
    del("persistentvolumeclaims/good"),
    patch("persistentvolumeclaims/good", ["merge", { metadata: { labels: { a: "b" } } }]),
  ),
];
