import { expect, test } from "vitest";
import { findSchemaOfKind, schemaOf } from "./object-schema.ts";
import {
  findBuiltinResource,
  findBuiltinResourceOfKind,
  findBuiltinResourcesByName,
  listBuiltinGroups,
  listBuiltinResources,
} from "./resource-table.ts";

test("the table holds the stable resources of Kubernetes 1.36", () => {
  const resources = listBuiltinResources();
  expect(resources).toHaveLength(68);
  expect(resources.flatMap((resource) => resource.subresources)).toHaveLength(45);
  expect(listBuiltinGroups()).toHaveLength(21);
  expect(new Set(resources.map(({ group, version }) => `${group}/${version}`)).size).toBe(22);
  expect(resources.every(({ version }) => /^v\d+$/.test(version))).toBe(true);
});

test("groups come in discovery order and versions by preference", () => {
  expect(listBuiltinGroups().slice(0, 3)).toEqual([
    { group: "", versions: ["v1"] },
    { group: "apiregistration.k8s.io", versions: ["v1"] },
    { group: "apps", versions: ["v1"] },
  ]);
  expect(listBuiltinGroups()).toContainEqual({ group: "autoscaling", versions: ["v2", "v1"] });
});

test("a resource is found by its place in URLs", () => {
  expect(findBuiltinResource({ group: "apps", version: "v1", resource: "deployments" })).toEqual({
    group: "apps",
    version: "v1",
    plural: "deployments",
    singular: "deployment",
    kind: "Deployment",
    listKind: "DeploymentList",
    scope: "Namespaced",
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    shortNames: ["deploy"],
    categories: ["all"],
    subresources: [
      {
        name: "scale",
        group: "autoscaling",
        version: "v1",
        kind: "Scale",
        verbs: ["get", "patch", "update"],
        schema: "autoscaling.v1.Scale",
      },
      {
        name: "status",
        group: "apps",
        version: "v1",
        kind: "Deployment",
        verbs: ["get", "patch", "update"],
        schema: "apps.v1.Deployment",
      },
    ],
    preferred: true,
    schema: "apps.v1.Deployment",
  });
});

test("a resource is found by kind, and versions of a group are told apart", () => {
  const find = (version: string) =>
    findBuiltinResourceOfKind({ group: "autoscaling", version, kind: "HorizontalPodAutoscaler" });
  expect(find("v2")).toMatchObject({
    schema: "autoscaling.v2.HorizontalPodAutoscaler",
    preferred: true,
  });
  expect(find("v1")).toMatchObject({
    schema: "autoscaling.v1.HorizontalPodAutoscaler",
    preferred: false,
  });
  expect(find("v3")).toBeUndefined();
});

test("subresources name the kind they speak, also of other groups", () => {
  const pods = findBuiltinResource({ group: "", version: "v1", resource: "pods" });
  const kinds = new Map(pods?.subresources.map(({ name, schema }) => [name, schema]));
  expect(kinds.get("eviction")).toBe("policy.v1.Eviction");
  expect(kinds.get("exec")).toBe("core.v1.PodExecOptions");
  expect(kinds.get("binding")).toBe("core.v1.Binding");
  expect(pods?.storageVersionHash).toBe("xPOwRZ+Yhw8=");
  const accounts = findBuiltinResource({ group: "", version: "v1", resource: "serviceaccounts" });
  expect(accounts?.subresources).toMatchObject([
    { name: "token", group: "authentication.k8s.io", kind: "TokenRequest", verbs: ["create"] },
  ]);
});

test("what cannot be listed has no list kind", () => {
  const reviews = listBuiltinResources().filter((resource) => resource.listKind === undefined);
  expect(reviews.map((resource) => resource.kind).sort()).toEqual([
    "Binding",
    "LocalSubjectAccessReview",
    "SelfSubjectAccessReview",
    "SelfSubjectReview",
    "SelfSubjectRulesReview",
    "SubjectAccessReview",
    "TokenReview",
  ]);
});

test.each([
  ["po", ["core.v1.Pod"]],
  ["Deployment", ["apps.v1.Deployment"]],
  ["crds", ["apiextensions.v1.CustomResourceDefinition"]],
  ["hpa", ["autoscaling.v2.HorizontalPodAutoscaler"]],
  ["events", ["core.v1.Event", "events.v1.Event"]],
  ["events.events.k8s.io", ["events.v1.Event"]],
  ["deploy.apps", ["apps.v1.Deployment"]],
  ["deployments.batch", []],
  ["endpoints", ["core.v1.Endpoints"]],
  ["widgets", []],
  ["constructor", []],
  ["__proto__", []],
  ["", []],
])("the name %j finds %j", (name, schemas) => {
  expect(findBuiltinResourcesByName(name).map((resource) => resource.schema)).toEqual(schemas);
});

test("every kind of the table has the schema that it names", () => {
  for (const resource of listBuiltinResources()) {
    expect(findSchemaOfKind(resource)).toBe(schemaOf(resource.schema));
    for (const subresource of resource.subresources) {
      expect(findSchemaOfKind(subresource)).toBe(schemaOf(subresource.schema));
    }
    if (resource.listKind === undefined) continue;
    const list = findSchemaOfKind({ ...resource, kind: resource.listKind });
    expect(list).toBe(schemaOf(`${resource.schema}List`));
    expect(list?.fields.get("items")).toMatchObject({ shape: "list", schema: resource.schema });
  }
});

test("singular, plural and short names of preferred versions are unique but for events", () => {
  const resources = listBuiltinResources().filter((resource) => resource.preferred);
  const names = resources.flatMap(({ plural, singular, shortNames }) =>
    Array.from(new Set([plural, singular, ...shortNames])),
  );
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  expect(twice.sort()).toEqual(["ev", "event", "events"]);
});
