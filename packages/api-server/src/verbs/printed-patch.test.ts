import { expect, test } from "vitest";
import { printPatched, reachOfMerge, reachOfPointers } from "./printed-patch.ts";

const PATCHED = { kind: "K", spec: { z: 1, a: { y: 1, b: 2 } }, metadata: { uid: "u", name: "n" } };

test("objects that a merge reaches print in the order of their keys, others as they are", () => {
  const reach = reachOfMerge({ spec: { z: 1 } });
  expect(printPatched(PATCHED, { reach, isUntyped: false })).toBe(
    '{"kind":"K","metadata":{"uid":"u","name":"n"},"spec":{"a":{"y":1,"b":2},"z":1}}',
  );
});

test("a pointer reaches all that is on its way", () => {
  const reach = reachOfPointers(["/spec/a/b", "/metadata"]);
  expect(printPatched(PATCHED, { reach, isUntyped: false })).toBe(
    '{"kind":"K","metadata":{"uid":"u","name":"n"},"spec":{"a":{"b":2,"y":1},"z":1}}',
  );
});

test("objects of no type are in order throughout", () => {
  expect(printPatched(PATCHED, { reach: new Map(), isUntyped: true })).toBe(
    '{"kind":"K","metadata":{"name":"n","uid":"u"},"spec":{"a":{"b":2,"y":1},"z":1}}',
  );
});
