import { expect, test } from "vitest";
import { openPlane } from "./fixtures/asked-plane.ts";

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const capacity = { storage: "1Gi" };
const accessModes = ["ReadWriteOnce"];
const CLAIM = { spec: { accessModes, resources: { requests: capacity } } };

test.for([
  [CLAIMS, CLAIM, "pvc"],
  [
    "/api/v1/persistentvolumes",
    { spec: { capacity, accessModes, hostPath: { path: "/x" } } },
    "pv",
  ],
  [
    "/apis/storage.k8s.io/v1/volumeattributesclasses",
    { driverName: "p/q", parameters: { a: "b" } },
    "vac",
  ],
] as const)("what is made at %s waits for who uses it", async ([path, object, what]) => {
  await using plane = await openPlane();
  const finalizer = `kubernetes.io/${what}-protection`;
  const made = await plane.ask("POST", path, { ...object, metadata: { name: "a" } });
  expect(made.metadata?.finalizers).toEqual([finalizer]);
  const metadata = { name: "b", finalizers: [finalizer, "example.com/f"] };
  const given = await plane.ask("POST", path, { ...object, metadata });
  expect(given.metadata?.finalizers).toEqual(metadata.finalizers);
});

test("an update may take it off", async () => {
  await using plane = await openPlane();
  const made = await plane.ask("POST", CLAIMS, { ...CLAIM, metadata: { name: "a" } });
  const released = { ...made, metadata: { ...made.metadata, finalizers: [] } };
  expect((await plane.ask("PUT", `${CLAIMS}/a`, released)).metadata?.finalizers).toBeUndefined();
});
