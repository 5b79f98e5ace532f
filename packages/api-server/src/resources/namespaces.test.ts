import { seededRandom } from "@homeostat/concurrency";
import type { Namespace } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import type { WriteContext } from "../registry/strategy.ts";
import { namespaces } from "./namespaces.ts";

const context: WriteContext = {
  operation: "delete",
  subresource: "",
  dryRun: false,
  now: 0,
  random: seededRandom(1),
  user: { username: "admin", groups: [] },
  reader: {
    get: () => undefined,
    list: () => [],
    isClaimed: () => false,
    namespacePhase: () => "Active",
  },
  breathe: async () => undefined,
  warn: () => undefined,
  settings: { serviceClusterIpRange: "10.0.0.0/24", serviceNodePortRange: [30000, 32767] },
};

function namespace(name: string): Namespace {
  return { metadata: { name }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } };
}

test("deleting a namespace makes it terminate, and it stays until its finalizers are gone", () => {
  const object = namespace("a");
  namespaces.prepareForDelete!(object, context);
  expect(object.status).toEqual({ phase: "Terminating" });
  expect(namespaces.mustStay!({ ...object, spec: {} })).toBe(true);
  object.metadata.deletionTimestamp = "1970-01-01T00:00:00Z";
  expect(namespaces.mustStay!(object)).toBe(true);
  expect(namespaces.mustStay!({ ...object, spec: {} })).toBe(false);
});

test("finalizers of the spec change through finalize only", () => {
  const old = namespace("a");
  const emptied: Namespace = { metadata: { name: "a" }, spec: { finalizers: [] } };
  const updated = structuredClone(emptied);
  namespaces.prepareForUpdate!(updated, old, context);
  expect(updated.spec).toEqual({ finalizers: ["kubernetes"] });
  const finalize = namespaces.subresources!["finalize"]!;
  finalize.prepareForUpdate(emptied, old, context);
  expect(emptied).toMatchObject({ spec: { finalizers: [] }, status: { phase: "Active" } });
});

test("a finalizer without a domain must be a known one", () => {
  const finalize = namespaces.subresources!["finalize"]!;
  const object: Namespace = { metadata: { name: "a" }, spec: { finalizers: ["mine", "a.b/c"] } };
  expect(finalize.validateUpdate!(object, namespace("a"), context).map(String)).toEqual([
    'spec.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
  ]);
});

test("names are single labels, so that they can be part of a host name", () => {
  expect(namespaces.checkName!("a.b", { prefix: false })).toEqual(["must not contain dots"]);
  expect(namespaces.checkName!("a-b", { prefix: false })).toEqual([]);
});
