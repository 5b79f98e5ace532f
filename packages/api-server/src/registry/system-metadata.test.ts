import { seededRandom } from "@homeostat/concurrency";
import { checkDns1123Label, type KubernetesObject } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countGeneration, generateName, keepOld, stampNew } from "./system-metadata.ts";

// 2026-01-01T00:00:00Z
const NOW = 1_767_225_600_000;

test("a new object has the server's identity, whatever the client said", () => {
  const object: KubernetesObject = {
    metadata: {
      name: "a",
      uid: "mine",
      creationTimestamp: "1999-01-01T00:00:00Z",
      selfLink: "/x",
    },
  };
  stampNew(object, { now: NOW, random: seededRandom(1) });
  expect(object.metadata).toEqual({
    name: "a",
    uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
    creationTimestamp: "2026-01-01T00:00:00Z",
  });
});

test("an update cannot change when an object was made, or that it goes", () => {
  const object: KubernetesObject = {
    metadata: {
      name: "a",
      generation: 99,
      creationTimestamp: "1999-01-01T00:00:00Z",
    },
  };
  keepOld(object, {
    metadata: {
      name: "a",
      uid: "u",
      generation: 3,
      creationTimestamp: "2025-01-01T00:00:00Z",
      deletionTimestamp: "2025-06-01T00:00:00Z",
      deletionGracePeriodSeconds: 30,
    },
  });
  expect(object.metadata).toEqual({
    name: "a",
    uid: "u",
    generation: 3,
    creationTimestamp: "2025-01-01T00:00:00Z",
    deletionTimestamp: "2025-06-01T00:00:00Z",
    deletionGracePeriodSeconds: 30,
  });
});

test("what a client says of its grace is left to be refused, no grace included", () => {
  const object: KubernetesObject = { metadata: { deletionGracePeriodSeconds: 0 } };
  keepOld(object, { metadata: { deletionGracePeriodSeconds: 30 } });
  expect(object.metadata!.deletionGracePeriodSeconds).toBe(0);
});

test.for([
  ["the spec", { spec: { a: 2 } }, 8],
  ["the status", { spec: { a: 1 }, status: { b: 2 } }, undefined],
  ["the metadata", { spec: { a: 1 }, metadata: { labels: { x: "y" } } }, undefined],
  ["nothing", { spec: { a: 1 } }, undefined],
] as const)(
  "generation counts changes of what is wanted: %s changed",
  ([, changed, generation]) => {
    const old = { metadata: { generation: 7 }, spec: { a: 1 } } as KubernetesObject;
    const object = structuredClone(changed) as unknown as KubernetesObject;
    countGeneration(object, old, (given) => structuredClone(given));
    expect(object.metadata?.generation).toBe(generation);
  },
);

test("what was taken from the old object is the same without being printed", () => {
  const old = { metadata: { generation: 7 }, spec: { a: 1 } } as KubernetesObject;
  const object = { ...old, metadata: {}, status: { b: 2 } } as KubernetesObject;
  countGeneration(object, old, () => expect.unreachable());
  expect(object.metadata?.generation).toBeUndefined();
});

test("a generated name begins with its base, fits, and may be a label", () => {
  const base = fc.stringMatching(/^[a-z][a-z0-9-]{0,80}$/);
  fc.assert(
    fc.property(base, fc.integer(), (prefix, seed) => {
      const name = generateName(prefix, seededRandom(seed));
      expect(name.slice(0, -5)).toBe(prefix.slice(0, 58));
      expect(checkDns1123Label(name)).toEqual([]);
    }),
  );
});
