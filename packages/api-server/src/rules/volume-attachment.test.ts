import { schemaOf } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { validateNew } from "./validate-object.ts";

const schema = schemaOf("storage.v1.VolumeAttachment");
const context = { operation: "create", subresource: "", now: 0 } as const;

function problemsOf(source: object, status: object = {}): readonly string[] {
  const spec = { attacher: "a", nodeName: "n", source };
  return validateNew(schema, { metadata: { name: "x" }, spec, status }, context).map(String);
}

function inline(spec: object): { readonly inlineVolumeSpec: object } {
  const csi = { driver: "d", volumeHandle: "h" };
  return { inlineVolumeSpec: { accessModes: ["ReadWriteOnce"], csi, ...spec } };
}

const ONE = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

test.each<[object, readonly string[]]>([
  [{}, [`spec.source: Required value: ${ONE}`]],
  [{ persistentVolumeName: "x", inlineVolumeSpec: {} }, [`spec.source: Forbidden: ${ONE}`]],
  [inline({}), []],
  [
    inline({ claimRef: {}, capacity: { storage: "1" }, nodeAffinity: {}, storageClassName: "s" }),
    ["claimRef", "capacity", "nodeAffinity", "storageClassName"].map(
      (field) =>
        `spec.source.inlineVolumeSpec.${field}: Forbidden: may not be specified in the context of inline volumes`,
    ),
  ],
  [
    inline({ persistentVolumeReclaimPolicy: "Delete", volumeMode: "Block" }),
    [
      "spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes",
      "spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes",
    ],
  ],
  // The path of a local volume's affinity is told of although none is allowed.
  [
    inline({ csi: undefined, local: { path: "/x" }, nodeAffinity: {} }),
    [
      "spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes",
      "spec.source.inlineVolumeSpec.nodeAffinity: Forbidden: may not be specified in the context of inline volumes",
      "spec.source.inlineVolumeSpec.nodeAffinity: Required value: Local volume requires node affinity",
    ],
  ],
])("%j", (source, expected) => {
  expect(problemsOf(source)).toEqual(expected);
});

test("an error that is too long is told the limit of the metadata", () => {
  const attachError = { message: "x".repeat(1025), errorCode: -1 };
  expect(problemsOf({ persistentVolumeName: "pv" }, { attachError })).toEqual([
    "status.attachError.message: Too long: may not be more than 262144 bytes",
    "status.attachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive",
  ]);
});
