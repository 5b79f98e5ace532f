import type { PersistentVolumeClaim } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { type AskedPlane, openPlane } from "./fixtures/asked-plane.ts";

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";

function claim(spec: object = {}, metadata: object = {}): object {
  const resources = { requests: { storage: "1Gi" } };
  return {
    metadata: { name: "a", ...metadata },
    spec: { accessModes: ["ReadWriteOnce"], resources, ...spec },
  };
}

async function withClass(annotations: object): Promise<AskedPlane> {
  const plane = await openPlane();
  await plane.ask("POST", CLASSES, { metadata: { name: "c", annotations }, provisioner: "p/q" });
  return plane;
}

const DEFAULT = { "storageclass.kubernetes.io/is-default-class": "true" };

test.for([
  ["names no class", {}, {}, "c"],
  ["wants none", { storageClassName: "" }, {}, ""],
  ["names another", { storageClassName: "x" }, {}, "x"],
  [
    "names another the old way",
    {},
    { annotations: { "volume.beta.kubernetes.io/storage-class": "x" } },
    undefined,
  ],
] as const)("a claim that %s", async ([, spec, metadata, expected]) => {
  await using plane = await withClass(DEFAULT);
  const made = (await plane.ask("POST", CLAIMS, claim(spec, metadata))) as PersistentVolumeClaim;
  expect(made.spec?.storageClassName).toBe(expected);
});

test("without a class that is marked, a claim has none", async () => {
  await using plane = await withClass({ "storageclass.kubernetes.io/is-default-class": "True" });
  const made = (await plane.ask("POST", CLAIMS, claim())) as PersistentVolumeClaim;
  expect(made.spec).not.toHaveProperty("storageClassName");
});
