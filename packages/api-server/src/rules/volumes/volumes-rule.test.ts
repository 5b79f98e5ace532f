import type { Volume } from "@homeostat/object-model/core-v1";
import { Place } from "@homeostat/schema";
import { expect, test } from "vitest";
import { volumesRule } from "./volumes-rule.ts";

const pod = { podName: "web", isPod: true, anyTokenPath: false };
const claim = {
  volumeClaimTemplate: {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
  },
};

function check(volumes: readonly object[], inside: typeof pod = pod) {
  const place = Place.root(undefined).child("volumes");
  const right = volumesRule(volumes as readonly Volume[], place, inside);
  return { right: [...right.keys()], problems: place.errors.map(String) };
}

/** What is wrong with one volume that is called `v`. */
function problemsOf(source: object, inside: typeof pod = pod): readonly string[] {
  return check([{ name: "v", ...source }], inside).problems.map((problem) =>
    problem.replace("volumes[0]", ""),
  );
}

test("what mounts may refer to are the volumes that are right, each name once", () => {
  expect(
    check([{ name: "a", emptyDir: {} }, { name: "a", emptyDir: {} }, { emptyDir: {} }]),
  ).toEqual({
    right: ["a"],
    problems: ['volumes[1].name: Duplicate value: "a"', "volumes[2].name: Required value"],
  });
});

test("a volume that is wrong does not take its name", () => {
  const volumes = [
    { name: "a", nfs: { server: "s", path: "relative" } },
    { name: "a", emptyDir: {} },
  ];
  expect(check(volumes)).toEqual({
    right: ["a"],
    problems: ['volumes[0].nfs.path: Invalid value: "relative": must be an absolute path'],
  });
});

test("a volume has one source; further ones are refused, under the names Kubernetes has for them", () => {
  expect(problemsOf({})).toEqual([": Required value: must specify a volume type"]);
  expect(problemsOf({ emptyDir: {}, cephfs: {}, downwardAPI: {}, gcePersistentDisk: {} })).toEqual([
    ".gcePersistentDisk: Forbidden: may not specify more than 1 volume type",
    ".cephFS: Forbidden: may not specify more than 1 volume type",
    ".downwarAPI: Forbidden: may not specify more than 1 volume type",
  ]);
});

test.each<[object, readonly string[]]>([
  [
    { emptyDir: { sizeLimit: "-1" } },
    [".emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity"],
  ],
  [{ hostPath: { type: "Nope" } }, [".hostPath.path: Required value"]],
  [
    { hostPath: { path: "/a/../b", type: "Nope" } },
    [
      `.hostPath.path: Invalid value: "/a/../b": must not contain '..'`,
      '.hostPath.type: Unsupported value: "Nope": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
    ],
  ],
  [{ gcePersistentDisk: {} }, [".persistentDisk.pdName: Required value"]],
  [
    { secret: { secretName: "s", defaultMode: 512, items: [{ key: "k", path: "..x", mode: -1 }] } },
    [
      ".secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive",
      `.secret.items[0].path: Invalid value: "..x": must not start with '..'`,
      ".secret.items[0].mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive",
    ],
  ],
  [
    { quobyte: { registry: "a:1,b", volume: "v" } },
    [
      '.quobyte.registry: Invalid value: "a:1,b": must be a host:port pair or multiple pairs separated by commas',
    ],
  ],
  [
    { fc: { targetWWNs: ["a"], wwids: ["b"], lun: 256 } },
    [
      '.fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
      ".fc.lun: Invalid value: 256: must be between 0 and 255, inclusive",
    ],
  ],
  [
    { azureDisk: { diskName: "d", diskURI: "x", kind: "Managed", cachingMode: "X" } },
    [
      '.azureDisk.cachingMode: Unsupported value: "X": supported values: "None", "ReadOnly", "ReadWrite"',
      '.azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
    ],
  ],
  [
    { flexVolume: { driver: "d", options: { "a.K8S.io": "x", b: "y" } } },
    [
      '.flexVolume.options[a.K8S.io]: Invalid value: "a.K8S.io": kubernetes.io and k8s.io namespaces are reserved',
    ],
  ],
  [
    { iscsi: { targetPortal: "p".repeat(63), iqn: "iqn.bad", lun: 1, initiatorName: "foo" } },
    [
      '.iscsi.iqn: Invalid value: "iqn.bad": must be valid format',
      '.iscsi.initiatorname: Invalid value: "foo": must be valid format starting with iqn, eui, or naa',
      '.name: Invalid value: "v": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
    ],
  ],
  [
    { csi: { driver: "d", nodePublishSecretRef: {} } },
    [".csi.nodePublishSecretRef.name: Required value"],
  ],
  [{ image: { pullPolicy: "Always" } }, [".image.reference: Required value"]],
])("%j", (source, expected) => {
  expect(problemsOf(source)).toEqual(expected);
});

test("a template may leave out which image", () => {
  const volume = { image: { pullPolicy: "Always" } };
  expect(problemsOf(volume, { ...pod, isPod: false })).toEqual([]);
});

test("facts about the pod are told of at the list of files", () => {
  const file = (more: object) => ({ path: "f", ...more });
  const items = [
    file({}),
    file({ fieldRef: { apiVersion: "v1", fieldPath: "spec.host" } }),
    file({ fieldRef: { apiVersion: "v1", fieldPath: "metadata.annotations['A/B/C']" } }),
    file({ resourceFieldRef: { containerName: "c", resource: "limits.cpu", divisor: "2" } }),
  ];
  const [missing, field, annotation, divisor] = problemsOf({ downwardAPI: { items } });
  expect([missing, field, divisor]).toEqual([
    ".downwardAPI: Required value: one of fieldRef and resourceFieldRef is required",
    '.downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
    '.downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
  ]);
  expect(annotation).toMatch(
    /^\.downwardAPI\.fieldRef: Invalid value: "a\/b\/c": a valid label key/,
  );
});

test("no two sources of a projected volume write the same file", () => {
  const sources = [
    { secret: { name: "s", items: [{ key: "k", path: "x" }] } },
    { configMap: { name: "m", items: [{ key: "k", path: "x" }] } },
    { serviceAccountToken: { path: "/t", expirationSeconds: 5 } },
    { secret: { name: "s" }, configMap: { name: "m" } },
  ];
  expect(problemsOf({ projected: { sources } })).toEqual([
    '.projected: Invalid value: "m": conflicting duplicate paths',
    ".projected.sources[2].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes",
    '.projected.path: Invalid value: "/t": must be a relative path',
    ".projected.sources[3]: Forbidden: may not specify more than 1 volume type per source",
  ]);
});

test("the claim of an ephemeral volume is named after the pod, and nobody else may use it", () => {
  const volumes = [
    { name: "cache", ephemeral: claim },
    { name: "other", persistentVolumeClaim: { claimName: "web-cache" } },
  ];
  expect(check(volumes).problems).toEqual([
    'volumes[1].persistentVolumeClaim.claimName: Invalid value: "web-cache": must not reference a PVC that gets created for an ephemeral volume',
  ]);
  expect(check(volumes, { ...pod, podName: "" }).problems).toEqual([]);
  const podName = "p".repeat(253);
  expect(problemsOf({ ephemeral: claim }, { ...pod, podName })).toEqual([
    `.name: Invalid value: "v": PVC name "${podName}-v": must be no more than 253 characters`,
  ]);
});

test("the metadata of a claim's template is labels and annotations", () => {
  const metadata = { name: "x", uid: "u", finalizers: ["f"], labels: { a: "b" } };
  const ephemeral = { volumeClaimTemplate: { ...claim.volumeClaimTemplate, metadata } };
  expect(problemsOf({ ephemeral })).toEqual(
    ["name", "uID", "finalizers"].map(
      (field) => `.ephemeral.volumeClaimTemplate.metadata.${field}: Forbidden: cannot be set`,
    ),
  );
});
