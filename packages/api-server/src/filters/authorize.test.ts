import { expect, test } from "vitest";
import { parsePath } from "../http/request-info.ts";
import { ANONYMOUS, forbid, isAuthorized } from "./authorize.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };
const EVE = { username: 'e"ve', groups: ["system:authenticated", "system:mastersx"] };

test("masters may do everything", () => {
  for (const path of ["/api/v1/secrets", "/metrics", "/healthz"]) {
    expect(isAuthorized(MASTER, parsePath(path))).toBe(true);
  }
});

test("others see what is public and nothing that only looks like it", () => {
  for (const user of [EVE, ANONYMOUS, {}]) {
    for (const path of ["/healthz", "/livez/ping", "/readyz", "/version"]) {
      expect(isAuthorized(user, parsePath(path))).toBe(true);
    }
    for (const path of [
      "/",
      "/api",
      "/apis",
      "/api/v1",
      "/healthzz",
      "/api/v1/healthz",
      "/x/healthz",
      "/versions",
      "healthz",
    ]) {
      expect(isAuthorized(user, parsePath(path))).toBe(false);
    }
  }
});

test.for([
  [
    "/api/v1/secrets",
    "list",
    'secrets is forbidden: User "e\\"ve" cannot list resource "secrets" in API group "" at the cluster scope',
  ],
  [
    "/api/v1/namespaces/a/pods/b/status",
    "update",
    'pods "b" is forbidden: User "e\\"ve" cannot update resource "pods/status" in API group "" in the namespace "a"',
  ],
  [
    "/apis/apps/v1/namespaces/a/deployments",
    "create",
    'deployments.apps is forbidden: User "e\\"ve" cannot create resource "deployments" in API group "apps" in the namespace "a"',
  ],
] as const)("a refusal says who may not do what where: %s", ([path, verb, message]) => {
  expect(forbid(EVE, parsePath(path), verb).message).toBe(message);
});

test("a refusal of a path names it", () => {
  expect(forbid(EVE, parsePath("/metrics"), "get").message).toContain('cannot get path "/metrics"');
});
