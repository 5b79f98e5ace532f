import type { KubernetesObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { MAX_STORED_BYTES, withinSize } from "./stored-size.ts";

/** As large as it says, and a megabyte more with its managed fields. */
function encoder(object: KubernetesObject, size: number): () => Uint8Array {
  return () => new Uint8Array(size + (object.metadata?.managedFields ? 1024 ** 2 : 0));
}

test("what fits is kept with all it has", () => {
  const object = { metadata: { managedFields: [{}] } };
  void withinSize(encoder(object, 100), object);
  expect(object.metadata.managedFields).toHaveLength(1);
});

test("who manages fields is forgotten before an object is refused", async () => {
  const object: KubernetesObject = { metadata: { managedFields: [{}] } };
  const encode = encoder(object, MAX_STORED_BYTES);
  expect(await withinSize(async () => encode(), object)).toHaveLength(MAX_STORED_BYTES);
  expect(object.metadata).toEqual({});
});

test("more than etcd would take is refused with its words", () => {
  const object = { metadata: {} };
  expect(() => withinSize(encoder(object, MAX_STORED_BYTES + 1), object)).toThrow(
    "etcdserver: request is too large",
  );
});

test("what a client of etcd would not send is refused with the words of that", () => {
  const object = { metadata: {} };
  expect(() => withinSize(encoder(object, 2 * 1024 ** 2 + 1), object)).toThrow(
    "trying to send message larger than max (2097153 vs. 2097152)",
  );
});

test("a write that is about who manages fields is refused rather than that forgotten", () => {
  const object: KubernetesObject = { metadata: { managedFields: [{}] } };
  const encode = encoder(object, MAX_STORED_BYTES);
  const keeping = { keepsManagedFields: true };
  expect(() => withinSize(encode, object, keeping)).toThrow("larger than max");
  expect(object.metadata?.managedFields).toHaveLength(1);
});
