import { expect, test } from "vitest";
import {
  GroupVersionError,
  groupVersionKindOf,
  parseApiVersion,
  parseGroupKind,
  parseGroupResource,
  printApiVersion,
  printGroupKind,
  printGroupResource,
  printGroupVersionKind,
  printGroupVersionResource,
} from "./group-version-kind.ts";

test.each([
  ["v1", "", "v1"],
  ["apps/v1", "apps", "v1"],
  ["rbac.authorization.k8s.io/v1", "rbac.authorization.k8s.io", "v1"],
  ["", "", ""],
])("apiVersion %j is group %j, version %j", (text, group, version) => {
  expect(parseApiVersion(text)).toEqual({ group, version });
  expect(printApiVersion({ group, version })).toBe(text);
});

test("an apiVersion with two slashes is refused", () => {
  expect(() => parseApiVersion("a/b/c")).toThrow(GroupVersionError);
  expect(() => parseApiVersion("a/b/c")).toThrow("unexpected GroupVersion string: a/b/c");
});

test("types print as Kubernetes prints them", () => {
  const deployment = groupVersionKindOf({ apiVersion: "apps/v1", kind: "Deployment" });
  expect(deployment).toEqual({ group: "apps", version: "v1", kind: "Deployment" });
  expect(printGroupVersionKind(deployment)).toBe("apps/v1, Kind=Deployment");
  expect(printGroupVersionKind(groupVersionKindOf({ apiVersion: "v1", kind: "Pod" }))).toBe(
    "/v1, Kind=Pod",
  );
  expect(printGroupVersionKind(groupVersionKindOf({}))).toBe("/, Kind=");
  expect(printGroupVersionResource({ group: "apps", version: "v1", resource: "deployments" })).toBe(
    "apps/v1, Resource=deployments",
  );
});

test("group-kinds and group-resources split at the first dot", () => {
  expect(parseGroupKind("Deployment.apps")).toEqual({ group: "apps", kind: "Deployment" });
  const roles = { group: "rbac.authorization.k8s.io", resource: "roles" };
  expect(parseGroupResource("roles.rbac.authorization.k8s.io")).toEqual(roles);
  expect(printGroupResource(roles)).toBe("roles.rbac.authorization.k8s.io");
  expect(printGroupResource(parseGroupResource("pods"))).toBe("pods");
  expect(printGroupKind({ group: "apps", kind: "Deployment" })).toBe("Deployment.apps");
  expect(printGroupKind(parseGroupKind("Pod"))).toBe("Pod");
});
