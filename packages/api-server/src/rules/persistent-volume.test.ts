import { schemaOf } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { changeCheckOf } from "./change-check.ts";
import { volumeAgain, volumeSpecAgain } from "./persistent-volume.ts";
import { validateNew } from "./validate-object.ts";

const schema = schemaOf("core.v1.PersistentVolume");
const context = { operation: "create", subresource: "", now: 0 } as const;
const fine = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] };

function problemsOf(spec: object, metadata: object = { name: "pv" }): readonly string[] {
  return validateNew(schema, { metadata, spec }, context).map(String);
}

test("a volume without anything needs modes, a capacity and a source", () => {
  expect(problemsOf({})).toEqual([
    "spec.accessModes: Required value",
    "spec.capacity: Required value",
    'spec.capacity: Unsupported value: null: supported values: "storage"',
    "spec: Required value: must specify a volume type",
  ]);
});

test.each<[object, readonly string[]]>([
  [
    { hostPath: { path: "/x" }, capacity: { memory: "-1Gi", storage: "1.5Gi" } },
    [
      'spec.capacity: Unsupported value: {"memory":"-1Gi","storage":"1536Mi"}: supported values: "storage"',
      "spec.capacity[memory]: Invalid value: -1073741824: must be a valid resource quantity",
      'spec.capacity[memory]: Invalid value: "-1Gi": must be greater than zero',
    ],
  ],
  [
    { hostPath: { path: "/a/.." }, persistentVolumeReclaimPolicy: "Recycle" },
    [
      `spec.hostPath.path: Invalid value: "/a/..": must not contain '..'`,
      "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
    ],
  ],
  [
    { hostPath: { path: "/x" }, accessModes: ["ReadWriteOncePod", "X", "ReadOnlyMany"] },
    [
      'spec.accessModes: Unsupported value: "X": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes",
    ],
  ],
  [
    { local: { path: "/x" } },
    ["spec.nodeAffinity: Required value: Local volume requires node affinity"],
  ],
  [
    { hostPath: { path: "/x" }, nodeAffinity: {} },
    ["spec.nodeAffinity.required: Required value: must specify required node constraints"],
  ],
  // A flex volume is looked at beside another source; it is not refused.
  [{ hostPath: { path: "/x" }, flexVolume: {} }, ["spec.flexVolume.driver: Required value"]],
  [
    { hostPath: { path: "/x" }, volumeAttributesClassName: "" },
    [
      "spec.volumeAttributesClassName: Required value: an empty string is disallowed",
      "spec.csi: Required value: has to be specified when using volumeAttributesClassName",
    ],
  ],
  [
    { csi: { driver: "d", volumeHandle: "h", nodeExpandSecretRef: { name: "s" } } },
    ["spec.csi.nodeExpandSecretRef.namespace: Required value"],
  ],
  [
    { glusterfs: { endpoints: "e", path: "p", endpointsNamespace: "" } },
    [
      'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
    ],
  ],
])("%j", (spec, expected) => {
  expect(problemsOf({ ...fine, ...spec })).toEqual(expected);
});

test("mount options in an annotation are for the sources that know them", () => {
  const metadata = {
    name: "pv",
    annotations: { "volume.beta.kubernetes.io/mount-options": "ro" },
  };
  expect(problemsOf({ ...fine, nfs: { server: "s", path: "/" } }, metadata)).toEqual([]);
  expect(problemsOf({ ...fine, hostPath: { path: "/x" } }, metadata)).toEqual([
    "metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type",
  ]);
});

test("an update is told twice what is wrong with its spec", () => {
  const old = { metadata: { name: "pv" }, spec: { ...fine, hostPath: { path: "/x" } } };
  const value = { ...old, spec: { ...old.spec, accessModes: [] } };
  const whole = changeCheckOf(volumeAgain)(value, old, context);
  const again = changeCheckOf(volumeSpecAgain)(value, old, context);
  expect([...whole, ...again].map(String)).toEqual([
    "spec.accessModes: Required value",
    "spec.accessModes: Required value",
  ]);
});

test("a value that no label can have stays allowed where it was, and only there", () => {
  const asking = (value: string) => ({
    required: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: [value] }] }],
    },
  });
  const volume = (value: string) => ({
    metadata: { name: "pv" },
    spec: { ...fine, hostPath: { path: "/x" }, nodeAffinity: asking(value) },
  });
  const update = (from: string, to: string): number =>
    changeCheckOf(volumeAgain)(volume(to), volume(from), context).length;
  expect(update("a b", "c d")).toBe(0);
  expect(update("a", "c d")).toBeGreaterThan(0);
});
