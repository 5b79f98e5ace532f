import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parsePath } from "./request-info.ts";

test.for([
  ["/api/v1/pods", "", "v1", "pods", "", "", ""],
  ["/api/v1/pods/", "", "v1", "pods", "", "", ""],
  ["/api/v1/namespaces", "", "v1", "namespaces", "", "", ""],
  ["/api/v1/namespaces/a", "", "v1", "namespaces", "", "a", ""],
  ["/api/v1/namespaces/a/status", "", "v1", "namespaces", "", "a", "status"],
  ["/api/v1/namespaces/a/finalize", "", "v1", "namespaces", "", "a", "finalize"],
  ["/api/v1/namespaces/a/pods", "", "v1", "pods", "a", "", ""],
  ["/api/v1/namespaces/a/pods/b", "", "v1", "pods", "a", "b", ""],
  ["/api/v1/namespaces/a/pods/b/status", "", "v1", "pods", "a", "b", "status"],
  [
    "/apis/apps/v1/namespaces/a/deployments/b/scale",
    "apps",
    "v1",
    "deployments",
    "a",
    "b",
    "scale",
  ],
  [
    "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aadmin",
    "rbac.authorization.k8s.io",
    "v1",
    "clusterroles",
    "",
    "system:admin",
    "",
  ],
  ["/api/v1/nodes/n/proxy/a/b/c", "", "v1", "nodes", "", "n", "proxy"],
  ["/api/v1/constructor/__proto__/toString", "", "v1", "constructor", "", "__proto__", "toString"],
] as const)(
  "%s names a resource",
  ([path, group, version, resource, namespace, name, subresource]) => {
    const expected = {
      kind: "resource",
      group,
      version,
      resource,
      namespace,
      name,
      subresource,
      legacyWatch: false,
    };
    expect(parsePath(path)).toMatchObject(expected);
  },
);

test.for([
  ["/api/v1/watch/pods", "pods", "", ""],
  ["/api/v1/watch/namespaces/a/pods/b", "pods", "a", "b"],
  ["/api/v1/watch/namespaces/a", "namespaces", "", "a"],
] as const)("%s is the old form of a watch", ([path, resource, namespace, name]) => {
  expect(parsePath(path)).toMatchObject({
    kind: "resource",
    resource,
    namespace,
    name,
    legacyWatch: true,
  });
});

test.for([
  "/",
  "/api",
  "/api/v1",
  "/apis",
  "/apis/apps",
  "/apis/apps/v1",
  "/healthz",
  "/api/v1//pods",
  "//api/v1/pods",
  "*",
  "",
  "https://host/api/v1/pods",
])("%s is a path", (path) => {
  expect(parsePath(path)).toEqual({ kind: "path", path });
});

test.for([
  ["/api/v1/namespaces/a/pods/b/c/d", "a", "pods", "b", "c"],
  ["/apis/apps/v1/deployments/b/c/d/e", "", "deployments", "b", "c"],
  ["/api/v1/namespaces/a/pods/b/log/x", "a", "pods", "b", "log"],
] as const)("%s is beyond a subresource", ([path, namespace, resource, name, subresource]) => {
  const expected = { namespace, resource, name, subresource, isBeyond: true };
  expect(parsePath(path)).toMatchObject(expected);
  const behind = path.indexOf(`/${subresource}/`) + 1 + subresource.length;
  expect(parsePath(path.slice(0, behind))).toMatchObject({
    subresource,
    isBeyond: false,
  });
});

test("an escaped slash is a slash, and an escape that is none is malformed", () => {
  expect(parsePath("/api/v1/namespaces/a%2Fpods/b")).toMatchObject({
    namespace: "a",
    resource: "pods",
    name: "b",
  });
  expect(parsePath("/api/v1/pods/%zz")).toEqual({ kind: "malformed" });
});

test("names come back as they were before escaping", () => {
  const part = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => !text.includes("/") && text.isWellFormed());
  fc.assert(
    fc.property(part, part, (namespace, name) => {
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
      expect(parsePath(path)).toMatchObject({
        kind: "resource",
        resource: "pods",
        namespace,
        name,
      });
    }),
  );
});

test("any path is understood without throwing", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom("/", "api", "apis", "v1", "watch", "namespaces", "%2f", "%", "..", "a"),
      ),
      (parts) => {
        expect(["resource", "path", "malformed"]).toContain(parsePath(`/${parts.join("/")}`).kind);
        expect(["resource", "path", "malformed"]).toContain(parsePath(parts.join("")).kind);
      },
    ),
  );
});

test("what follows a proxy subresource is somebody else's path, with gaps and all", () => {
  expect(parsePath("/api/v1/namespaces/a/pods/b:80/proxy//x//y")).toMatchObject({
    kind: "resource",
    namespace: "a",
    resource: "pods",
    name: "b:80",
    subresource: "proxy",
  });
  expect(parsePath("/api/v1/nodes/n/proxy//x")).toMatchObject({ name: "n", subresource: "proxy" });
  expect(parsePath("/api/v1/nodes//n/proxy/x")).toMatchObject({ kind: "path" });
  expect(parsePath("/api/v1/namespaces/a/pods/proxy//log")).toMatchObject({ kind: "path" });
});
