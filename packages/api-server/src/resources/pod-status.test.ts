import type { Pod } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import type { WriteContext } from "../registry/strategy.ts";
import { pods } from "./pods.ts";

const context = { operation: "update", subresource: "status" } as WriteContext;
const status = pods.subresources!["status"]!;

function updated(metadata: Pod["metadata"], old: Pod["metadata"]): Pod["metadata"] {
  const pod: Pod = { metadata: { name: "a", ...metadata } };
  status.prepareForUpdate(pod, { metadata: { name: "a", ...old } }, context);
  return pod.metadata;
}

test("a status update cannot begin a deletion, and leaves one that began", () => {
  const deletionTimestamp = "2026-01-01T00:00:00Z";
  expect(updated({ deletionTimestamp }, {})).not.toHaveProperty("deletionTimestamp");
  expect(updated({ deletionTimestamp }, { deletionTimestamp })).toHaveProperty("deletionTimestamp");
});

test("a status update leaves the owners alone and changes labels", () => {
  const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }];
  const metadata = updated({ labels: { a: "b" }, ownerReferences }, {});
  expect(metadata).toEqual({ name: "a", labels: { a: "b" } });
});
