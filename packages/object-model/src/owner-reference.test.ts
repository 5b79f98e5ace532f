import { expect, test } from "vitest";
import {
  controllerOf,
  controllerReferenceTo,
  isControlledBy,
  isOwnedBy,
  OwnerReferenceError,
  ownerReferenceTo,
  setController,
  withOwnerReference,
  withoutOwnerReference,
} from "./owner-reference.ts";

const owner = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "web", namespace: "default", uid: "u-1" },
};
const pod = { kind: "Pod", metadata: { name: "web-0", namespace: "default" } };

test("a controller reference blocks its owner's deletion unless told otherwise", () => {
  expect(controllerReferenceTo(owner)).toEqual({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    name: "web",
    uid: "u-1",
    controller: true,
    blockOwnerDeletion: true,
  });
  expect(controllerReferenceTo(owner, { blockOwnerDeletion: false }).blockOwnerDeletion).toBe(
    false,
  );
});

test("an owner reference says nothing it was not told", () => {
  expect(ownerReferenceTo(owner)).toEqual({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    name: "web",
    uid: "u-1",
  });
  expect(ownerReferenceTo(owner, { blockOwnerDeletion: true }).blockOwnerDeletion).toBe(true);
});

test("an owner that was never stored cannot be referred to", () => {
  expect(() => ownerReferenceTo({ kind: "ReplicaSet", metadata: { name: "web" } })).toThrow(
    "expected an owner with apiVersion, kind, metadata.name and metadata.uid, got one without apiVersion, metadata.uid",
  );
});

test("ownership goes by uid", () => {
  const ownerReferences = [ownerReferenceTo(owner)];
  const owned = { metadata: { ownerReferences } };
  expect(isOwnedBy(owned, "u-1")).toBe(true);
  expect(isOwnedBy(owned, "u-2")).toBe(false);
  expect(isOwnedBy({}, "u-1")).toBe(false);
  expect(isControlledBy(owned, "u-1")).toBe(false);
  expect(controllerOf(owned)).toBeUndefined();
  const controlled = { metadata: { ownerReferences: [controllerReferenceTo(owner)] } };
  expect(isControlledBy(controlled, "u-1")).toBe(true);
});

test("a reference to the same owner is replaced in its place, whatever its version and uid", () => {
  const other = { ...ownerReferenceTo(owner), name: "other", uid: "u-9" };
  const old = { ...ownerReferenceTo(owner), apiVersion: "apps/v1beta1", uid: "u-0" };
  const references = Object.freeze([old, other]);
  const after = withOwnerReference(references, controllerReferenceTo(owner));
  expect(after).toEqual([controllerReferenceTo(owner), other]);
  expect(withOwnerReference(references, { ...old, apiVersion: "v1" })).toHaveLength(3);
  expect(withOwnerReference(undefined, other)).toEqual([other]);
});

test("a reference is removed by uid", () => {
  expect(withoutOwnerReference([ownerReferenceTo(owner)], "u-1")).toEqual([]);
  expect(withoutOwnerReference([ownerReferenceTo(owner)], "u-2")).toHaveLength(1);
  expect(withoutOwnerReference(undefined, "u-2")).toEqual([]);
});

test("an object takes one controller, and the same one again", () => {
  const ownerReferences = setController(pod, owner);
  const controlled = { ...pod, metadata: { ...pod.metadata, ownerReferences } };
  expect(setController(controlled, owner)).toEqual(ownerReferences);
  const rival = { ...owner, metadata: { ...owner.metadata, name: "rival", uid: "u-2" } };
  expect(() => setController(controlled, rival)).toThrow(
    new OwnerReferenceError(
      "owner-already-controlled",
      "Object default/web-0 is already owned by another ReplicaSet controller web",
    ),
  );
});

test("owners own within their namespace, and cluster-scoped owners everywhere", () => {
  const elsewhere = { ...owner, metadata: { ...owner.metadata, namespace: "other" } };
  expect(() => setController(pod, elsewhere)).toThrow(
    "cross-namespace owner references are disallowed, owner's namespace other, obj's namespace default",
  );
  expect(() => setController({ metadata: { name: "node-1" } }, owner)).toThrow(
    "cluster-scoped resource must not have a namespace-scoped owner, owner's namespace default",
  );
  const clusterScoped = { ...owner, metadata: { name: "web", uid: "u-1" } };
  expect(setController(pod, clusterScoped)).toHaveLength(1);
});
