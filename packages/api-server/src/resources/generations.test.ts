/** What counts as a new generation where it is not just the spec. */
import { seededRandom } from "@homeostat/concurrency";
import type { Deployment } from "@homeostat/object-model/apps-v1";
import type { EndpointSlice } from "@homeostat/object-model/discovery-v1";
import type { PriorityClass } from "@homeostat/object-model/scheduling-v1";
import type { CSIDriver } from "@homeostat/object-model/storage-v1";
import { expect, test } from "vitest";
import type { WriteContext } from "../registry/strategy.ts";
import { daemonSets, deployments } from "./apps.ts";
import { endpointSlices } from "./networking.ts";
import { priorityClasses } from "./small-groups.ts";
import { csiDrivers } from "./storage.ts";

const context: WriteContext = {
  operation: "update",
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

test("an annotation of a deployment is a new generation, a label is not", () => {
  const old: Deployment = { metadata: { name: "d", generation: 4 } };
  const annotated: Deployment = { metadata: { name: "d", generation: 4, annotations: { a: "b" } } };
  deployments.prepareForUpdate!(annotated, old, context);
  expect(annotated.metadata.generation).toBe(5);
  const labelled: Deployment = { metadata: { name: "d", generation: 4, labels: { a: "b" } } };
  deployments.prepareForUpdate!(labelled, old, context);
  expect(labelled.metadata.generation).toBe(4);
});

test("a label of an endpoint slice is a new generation", () => {
  const slice = (labels: Record<string, string>): EndpointSlice => ({
    metadata: { name: "s", generation: 1, labels },
    addressType: "IPv4",
    endpoints: [],
  });
  const changed = slice({ a: "c" });
  endpointSlices.prepareForUpdate!(changed, slice({ a: "b" }), context);
  expect(changed.metadata.generation).toBe(2);
});

test("a priority class is generation 1 for ever", () => {
  const created: PriorityClass = { metadata: { name: "p", generation: 7 }, value: 1 };
  priorityClasses.prepareForCreate!(created, context);
  expect(created.metadata.generation).toBe(1);
  expect(priorityClasses.generation).toBeUndefined();
});

test("a storage driver counts changes from whatever it was created with", () => {
  const old: CSIDriver = { metadata: { name: "d" }, spec: { podInfoOnMount: false } };
  const changed: CSIDriver = { metadata: { name: "d" }, spec: { podInfoOnMount: true } };
  csiDrivers.prepareForUpdate!(changed, old, context);
  expect(changed.metadata.generation).toBe(1);
});

test("a daemon set counts the changes of its template in an annotation", () => {
  const selector = { matchLabels: { a: "b" } };
  const old = {
    metadata: { name: "d", annotations: { "deprecated.daemonset.template.generation": "3" } },
    spec: { selector, template: { spec: { containers: [{ name: "c", image: "x" }] } } },
  };
  const changed = {
    metadata: { name: "d", annotations: { mine: "kept" } },
    spec: { selector, template: { spec: { containers: [{ name: "c", image: "y" }] } } },
  };
  daemonSets.prepareForUpdate!(changed, old, context);
  expect(changed.metadata.annotations).toEqual({
    mine: "kept",
    "deprecated.daemonset.template.generation": "4",
  });
});
