import { listBuiltinResources } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { LAYOUTS } from "./layouts.ts";

/** Where people are shown a name and a time only. */
const PLAIN = new Set([
  "/LimitRange",
  "apiextensions.k8s.io/CustomResourceDefinition",
  "events.k8s.io/Event",
  "rbac.authorization.k8s.io/ClusterRole",
  "rbac.authorization.k8s.io/Role",
  "storage.k8s.io/CSIStorageCapacity",
]);

test("every kind that can be listed has a layout or none is wanted, and no layout is for nothing", () => {
  const kinds = new Set<string>();
  for (const { group, kind, verbs } of listBuiltinResources()) {
    if (verbs.includes("list")) kinds.add(`${group}/${kind}`);
  }
  expect([...kinds].filter((kind) => LAYOUTS[kind] === undefined).sort()).toEqual(
    [...PLAIN].sort(),
  );
  expect(Object.keys(LAYOUTS).filter((kind) => !kinds.has(kind))).toEqual([]);
});

test.for(Object.entries(LAYOUTS))("%s shows an object with nothing in it", ([kind, layout]) => {
  const cells = layout.cells({}, 0);
  const spare = kind === "networking.k8s.io/IPAddress" ? 1 : 0;
  expect(cells).toHaveLength(layout.columns.length + spare);
  expect(cells.every((cell) => cell !== undefined)).toBe(true);
  expect(layout.conditions?.({}) ?? []).toEqual([]);
});
