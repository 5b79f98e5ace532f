import { expect, test } from "vitest";
import { Query } from "../http/query.ts";
import { OpenWatches } from "./open-watches.ts";
import { writeWork } from "./write-work.ts";

test.each([
  [0, 100, { seats: 1, after: 0 }],
  [9, 100, { seats: 1, after: 0 }],
  [10, 100, { seats: 1, after: 5 }],
  [11, 100, { seats: 2, after: 5 }],
  [95, 100, { seats: 10, after: 5 }],
  [1000, 100, { seats: 10, after: 50 }],
  [100, 4, { seats: 4, after: 12.5 }],
])("a write that %i watch takes, of at most %i seats, %j", (watches, mostSeats, work) => {
  expect(writeWork(watches, mostSeats)).toEqual(work);
});

const asked = (resource: string, namespace = "", name = "") =>
  ({
    kind: "resource",
    verb: "watch",
    group: "",
    version: "v1",
    resource,
    subresource: "",
    namespace,
    name,
  }) as const;

test("a write is of interest to those who watch everything, its namespace or its object", () => {
  const watches = new OpenWatches();
  const all = watches.add(asked("configmaps"), Query.empty);
  watches.add(asked("configmaps", "a"), Query.empty);
  watches.add(asked("configmaps", "b"), Query.empty);
  const one = watches.add(asked("configmaps", "a", "x"), Query.empty);
  watches.add({ ...asked("configmaps"), group: "example.com" }, Query.empty);
  const interested = (namespace: string, name: string): number =>
    watches.interestedIn(asked("configmaps", namespace, name));
  expect(interested("a", "x")).toBe(3);
  expect(interested("a", "y")).toBe(2);
  expect(interested("c", "")).toBe(1);
  expect(watches.interestedIn(asked("secrets", "a"))).toBe(0);
  all();
  one();
  expect(interested("a", "x")).toBe(1);
  expect(interested("c", "")).toBe(0);
});

test("of the watches of one node's pods none counts; of those of pods without one, all do", () => {
  const watches = new OpenWatches();
  for (const selector of ["spec.nodeName=a", "spec.nodeName=", "status.phase=Running"]) {
    watches.add(asked("pods"), Query.of({ fieldSelector: selector }))();
    watches.add(asked("pods"), Query.of({ fieldSelector: selector }));
  }
  expect(watches.interestedIn(asked("pods", "a", "x"))).toBe(2);
});
