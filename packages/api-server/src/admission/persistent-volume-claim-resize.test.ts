import type { PersistentVolumeClaim } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { type Answered, type AskedPlane, openPlane } from "./fixtures/asked-plane.ts";

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";

/** A claim of 1Gi that is bound. */
async function bound(plane: AskedPlane, storageClassName: string): Promise<void> {
  const resources = { requests: { storage: "1Gi" } };
  const spec = { accessModes: ["ReadWriteOnce"], resources, storageClassName, volumeName: "v" };
  const made = (await plane.ask("POST", CLAIMS, {
    metadata: { name: "a" },
    spec,
  })) as PersistentVolumeClaim;
  await plane.ask("PUT", `${CLAIMS}/a/status`, { ...made, status: { phase: "Bound" } });
}

function grow({ ask }: AskedPlane, storage: string): Promise<Answered> {
  return ask("PATCH", `${CLAIMS}/a`, { spec: { resources: { requests: { storage } } } });
}

test("a claim grows where its class lets it", async () => {
  await using plane = await openPlane();
  await plane.ask("POST", "/apis/storage.k8s.io/v1/storageclasses", {
    metadata: { name: "c" },
    provisioner: "p/q",
    allowVolumeExpansion: true,
  });
  await bound(plane, "c");
  expect(await grow(plane, "2Gi")).toMatchObject({
    spec: { resources: { requests: { storage: "2Gi" } } },
  });
});

test.for([
  ["none", ""],
  ["one that is not there", "x"],
])("a claim of %s does not", async ([, name]) => {
  await using plane = await openPlane();
  await bound(plane, name!);
  expect(await grow(plane, "2Gi")).toMatchObject({
    code: 403,
    message:
      'persistentvolumeclaims "a" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  });
  expect((await grow(plane, "1024Mi")).code).toBeUndefined();
});
