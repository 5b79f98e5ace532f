import { listBuiltinGroups, listBuiltinResources } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { coreVersions, groupList, groupOf, resourceList } from "./discovery.ts";

test("every group that is served is listed with its versions, and the core is not among them", () => {
  const { groups } = groupList([]);
  const expected = listBuiltinGroups().filter(({ group }) => group !== "");
  expect(groups.map(({ name }) => name)).toEqual(expected.map(({ group }) => group));
  for (const { name, versions, preferredVersion } of groups) {
    expect(versions[0]).toEqual(preferredVersion);
    expect(versions.map(({ groupVersion }) => groupVersion)).toEqual(
      versions.map(({ version }) => `${name}/${version}`),
    );
  }
});

test("every resource and subresource is listed once, in the order of their names", () => {
  for (const { group, versions } of listBuiltinGroups()) {
    for (const version of versions) {
      const { resources } = resourceList(group, version, [])!;
      const names = resources.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)].toSorted());
    }
  }
  const all = listBuiltinResources().flatMap(
    ({ group, version }) => resourceList(group, version, [])!.resources,
  );
  for (const { verbs, kind, singularName, name } of all) {
    expect(verbs.length).toBeGreaterThan(0);
    expect(kind).not.toBe("");
    expect(singularName === "").toBe(name.includes("/"));
  }
});

test("scale is another group's kind", () => {
  const { resources } = resourceList("apps", "v1", [])!;
  const scale = resources.find(({ name }) => name === "deployments/scale");
  expect(scale).toEqual({
    name: "deployments/scale",
    singularName: "",
    namespaced: true,
    group: "autoscaling",
    version: "v1",
    kind: "Scale",
    verbs: ["get", "patch", "update"],
  });
});

test("the hash of the storage version is the same for all versions of a kind", () => {
  const hashOf = (group: string, version: string, plural: string): unknown =>
    resourceList(group, version, [])!.resources.find(({ name }) => name === plural)!
      .storageVersionHash;
  const [one, two] = ["v1", "v2"].map((version) =>
    hashOf("autoscaling", version, "horizontalpodautoscalers"),
  );
  expect(one).toBe(two);
  expect(hashOf("", "v1", "events")).toBe(hashOf("events.k8s.io", "v1", "events"));
  expect(hashOf("", "v1", "pods")).not.toBe(hashOf("", "v1", "secrets"));
});

test("what is not served is not found, whatever it is called", () => {
  for (const name of ["", "constructor", "__proto__", "nothing"]) {
    expect(groupOf(name, [])).toBeUndefined();
    expect(resourceList("apps", name, [])).toBeUndefined();
  }
});

test("the core says where it is", () => {
  expect(coreVersions("127.0.0.1:6443")).toEqual({
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "127.0.0.1:6443" }],
  });
});
