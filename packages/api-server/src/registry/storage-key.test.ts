import { listBuiltinResources } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ResourceTable } from "./resource-table.ts";
import { claimKey, kindPrefix, listPrefix, objectKeyIn, partsOfKey } from "./storage-key.ts";

const table = new ResourceTable();
const kinds = listBuiltinResources()
  .filter(({ verbs }) => verbs.includes("get"))
  .map(({ group, version, plural }) => table.find(group, version, plural)!.stored);

test("no kind's prefix begins another kind's", () => {
  for (const one of kinds) {
    for (const other of kinds) {
      if (one.kind === other.kind) continue;
      expect(other.prefix.startsWith(one.prefix), `${one.prefix} ${other.prefix}`).toBe(false);
    }
  }
});

test("the versions and addresses of one kind share their keys", () => {
  expect(table.find("events.k8s.io", "v1", "events")!.stored.prefix).toBe(kindPrefix("", "events"));
  const [one, two] = ["v1", "v2"].map(
    (version) => table.find("autoscaling", version, "horizontalpodautoscalers")!,
  );
  expect(one!.stored.prefix).toBe(two!.stored.prefix);
});

test.for([
  ["", "nodes", "/registry/minions/"],
  ["", "services", "/registry/services/specs/"],
  ["", "endpoints", "/registry/services/endpoints/"],
  ["networking.k8s.io", "ingresses", "/registry/ingress/"],
  [
    "apiextensions.k8s.io",
    "customresourcedefinitions",
    "/registry/apiextensions.k8s.io/customresourcedefinitions/",
  ],
  ["apps", "deployments", "/registry/deployments/"],
] as const)("%s/%s is kept where kube-apiserver keeps it", ([group, plural, prefix]) => {
  expect(kindPrefix(group, plural)).toBe(prefix);
});

test("a key says which object it is of", () => {
  const part = fc.string({ minLength: 1 }).filter((each) => !each.includes("/"));
  fc.assert(
    fc.property(fc.constantFrom(...kinds), part, part, (kind, namespace, name) => {
      const key = objectKeyIn(kind, namespace, name);
      expect(partsOfKey(kind, key)).toEqual({ namespace: kind.namespaced ? namespace : "", name });
      expect(key.startsWith(listPrefix(kind, namespace))).toBe(true);
      expect(key.startsWith(listPrefix(kind, ""))).toBe(true);
    }),
  );
});

test("claims are no objects", () => {
  expect(claimKey("port/30000").startsWith("/registry/")).toBe(false);
});
