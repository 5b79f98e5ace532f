import { ApiError } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import { expect, test } from "vitest";
import type { AccessAttributes } from "../authorization/authorizer.ts";
import { Impersonator } from "./impersonation.ts";
import { readImpersonation } from "./impersonation-headers.ts";

const LIST_PODS: AccessAttributes = {
  kind: "resource",
  verb: "list",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  namespace: "default",
  name: "",
};

/** Allows what is listed, as `verb group/resource[/subresource] [namespace/]name`. */
function impersonator(...allowed: string[]): { impersonator: Impersonator; asked: string[] } {
  const asked: string[] = [];
  const authorize = (_: UserInfo, attributes: AccessAttributes) => {
    const text = textOf(attributes);
    asked.push(text);
    return { allowed: allowed.includes(text), reason: "" };
  };
  return { impersonator: new Impersonator({ authorize }), asked };
}

function textOf(asked: AccessAttributes): string {
  if (asked.kind === "path") return `${asked.verb} ${asked.path}`;
  const { verb, group, resource, subresource, namespace, name } = asked;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  return `${verb} ${group}/${what} ${namespace === "" ? name : `${namespace}/${name}`}`;
}

function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
  throw new Error("expected a refusal");
}

const ALICE = { username: "alice", groups: ["system:authenticated"] };

test("whoever may impersonate each part becomes that user", () => {
  const { impersonator: allowed, asked } = impersonator(
    "impersonate /users bob",
    "impersonate authentication.k8s.io/uids 7",
    "impersonate /groups dev",
    "impersonate authentication.k8s.io/userextras/scopes a",
  );
  const bob = { username: "bob", uid: "7", groups: ["dev"], extra: { scopes: ["a"] } };
  expect(allowed.impersonate(ALICE, bob, LIST_PODS)).toEqual({
    ...bob,
    groups: ["dev", "system:authenticated"],
  });
  expect(asked[0]).toBe("impersonate-on:user-info:list /pods default/");
  // What served once is tried first.
  asked.length = 0;
  allowed.impersonate(ALICE, bob, LIST_PODS);
  expect(asked[0]).toBe("impersonate /users bob");
});

test("one part that is not allowed refuses the whole", () => {
  const { impersonator: allowed } = impersonator("impersonate /users bob");
  const act = (): UserInfo =>
    allowed.impersonate(ALICE, { username: "bob", groups: ["system:masters"] }, LIST_PODS);
  expect(refusalOf(act)).toBe(
    'pods is forbidden: User "alice" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "default"',
  );
  allowed.impersonate(ALICE, { username: "bob" }, LIST_PODS);
  expect(refusalOf(act)).toBe(
    'groups "system:masters" is forbidden: User "alice" cannot impersonate resource "groups" in API group "" at the cluster scope',
  );
});

test("a service account is impersonated by its name, and has its groups", () => {
  const { impersonator: allowed } = impersonator("impersonate /serviceaccounts ns/bot");
  const wanted = { username: "system:serviceaccount:ns:bot" };
  expect(allowed.impersonate(ALICE, wanted, LIST_PODS).groups).toEqual([
    "system:serviceaccounts",
    "system:serviceaccounts:ns",
    "system:authenticated",
  ]);
  const odd = { username: "system:serviceaccount:ns:bot:x" };
  expect(refusalOf(() => allowed.impersonate(ALICE, odd, LIST_PODS))).toContain(
    "cannot impersonate",
  );
});

test("constrained: the verb and the user have to be allowed, and masters never are", () => {
  const { impersonator: allowed } = impersonator(
    "impersonate-on:user-info:list /pods default/",
    "impersonate:user-info authentication.k8s.io/users bob",
    "impersonate:user-info authentication.k8s.io/groups system:masters",
    "impersonate:user-info authentication.k8s.io/groups *",
  );
  const become = (wanted: UserInfo, asked = LIST_PODS): UserInfo =>
    allowed.impersonate(ALICE, wanted, asked);
  expect(become({ username: "bob" }).groups).toEqual(["system:authenticated"]);
  const many = ["a", "b", "c", "d"];
  expect(become({ username: "bob", groups: many }).groups).toEqual([
    ...many,
    "system:authenticated",
  ]);
  expect(refusalOf(() => become({ username: "bob", groups: ["a"] }))).toContain('"a" is forbidden');
  expect(refusalOf(() => become({ username: "bob", groups: ["system:masters"] }))).toContain(
    "impersonating the system:masters group is not allowed",
  );
  expect(refusalOf(() => become({ username: "bob", extra: { scopes: ["a"] } }))).toContain(
    'impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "scopes": must be a domain-prefixed path (such as "acme.io/foo")',
  );
  expect(refusalOf(() => become({ username: "bob" }, { ...LIST_PODS, verb: "get" }))).toContain(
    "cannot impersonate-on:user-info:get",
  );
});

test("constrained: an account may be the node it runs on, wherever that is, and no other", () => {
  const { impersonator: allowed } = impersonator(
    "impersonate-on:associated-node:list /pods default/",
    "impersonate:associated-node authentication.k8s.io/nodes *",
  );
  const agent = (node: string): UserInfo => ({
    username: "system:serviceaccount:ns:agent",
    extra: { "authentication.kubernetes.io/node-name": [node] },
  });
  const wanted = { username: "system:node:n1" };
  expect(allowed.impersonate(agent("n1"), wanted, LIST_PODS)).toEqual({
    username: "system:node:n1",
    groups: ["system:nodes", "system:authenticated"],
  });
  expect(refusalOf(() => allowed.impersonate(agent("n2"), wanted, LIST_PODS))).toContain(
    "cannot impersonate-on:arbitrary-node:list",
  );
});

test("who is anonymous is not authenticated, and who says so is not either", () => {
  const { impersonator: allowed } = impersonator(
    "impersonate /users system:anonymous",
    "impersonate /users bob",
    "impersonate /groups system:unauthenticated",
  );
  const anonymous = { username: "system:anonymous" };
  expect(allowed.impersonate(ALICE, anonymous, LIST_PODS).groups).toEqual([
    "system:unauthenticated",
  ]);
  const bob = { username: "bob", groups: ["system:unauthenticated"] };
  expect(allowed.impersonate(ALICE, bob, LIST_PODS).groups).toEqual(["system:unauthenticated"]);
});

test("headers: groups and extras may be repeated, keys are unescaped, a user counts once", () => {
  expect(
    readImpersonation([
      ["impersonate-user", "bob"],
      ["impersonate-user", "eve"],
      ["impersonate-group", "a, b"],
      ["impersonate-group", "c"],
      ["impersonate-extra-acme.com%2fscope", "1"],
      ["impersonate-extra-acme.com%2Fscope", "2"],
      ["impersonate-extra-__proto__", "x"],
      ["impersonate-extra-%zz", "y"],
      ["accept", "z"],
    ]),
  ).toEqual({
    username: "bob",
    groups: ["a, b", "c"],
    extra: Object.fromEntries([
      ["acme.com/scope", ["1", "2"]],
      ["__proto__", ["x"]],
      ["%zz", ["y"]],
    ]),
  });
  expect(readImpersonation([["impersonate-user", ""]])).toBeUndefined();
});

test("a user without a name cannot be impersonated", () => {
  const { impersonator: allowed } = impersonator();
  const wanted = readImpersonation([
    ["impersonate-group", "g"],
    ["impersonate-group", "h"],
    ["impersonate-extra-zed", "v"],
    ["impersonate-extra-a%2fb", "v"],
    ["impersonate-uid", "u"],
  ])!;
  expect(refusalOf(() => allowed.impersonate(ALICE, wanted, LIST_PODS))).toBe(
    'requested &user.DefaultInfo{Name:"", UID:"u", Groups:[]string{"g", "h"}, Extra:map[string][]string{"a/b":[]string{"v"}, "zed":[]string{"v"}}} without impersonating a user name',
  );
  expect(refusalOf(() => allowed.impersonate(ALICE, { uid: "u" }, LIST_PODS))).toBe(
    'requested &user.DefaultInfo{Name:"", UID:"u", Groups:[]string(nil), Extra:map[string][]string(nil)} without impersonating a user name',
  );
});
