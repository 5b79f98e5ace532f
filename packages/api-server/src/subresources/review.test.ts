import { ApiError, type KubernetesObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { alwaysAllow } from "../authorization/always-allow.ts";
import { heldRule } from "../authorization/policy-rule.ts";
import { Reviewer } from "./review.ts";

const bob = { username: "bob", uid: "2", groups: ["devs"] };
const pods = { verb: "get", resource: "pods", namespace: "x" };

/** Only alice may do things; what was asked is noted. */
function reviewer(asked: unknown[] = []): Reviewer {
  return new Reviewer({
    authorizer: {
      authorize(user, attributes) {
        asked.push([user, attributes]);
        return user.username === "alice"
          ? { allowed: true, reason: "she is alice" }
          : { allowed: false, reason: "" };
      },
      rulesFor: (user, namespace) => ({
        rules: [heldRule({ verbs: ["get"], resources: [`${user.username} in ${namespace}`] })],
        missing: [],
      }),
    },
    authenticate: () => ({ error: "invalid bearer token" }),
    now: () => 1_767_225_600_000,
  });
}

function refused(body: KubernetesObject & { spec?: unknown }): string {
  try {
    reviewer().review(body, bob);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
  }
  throw new Error("it was accepted");
}

test("whoever asks who they are is told, and nothing of the body comes back", () => {
  const metadata = { name: "x", labels: { a: "b" } };
  expect(reviewer().review({ kind: "SelfSubjectReview", metadata }, bob)).toEqual({
    kind: "SelfSubjectReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { creationTimestamp: "2026-01-01T00:00:00Z" },
    status: { userInfo: bob },
  });
});

test("an access review about oneself is decided for the user who asks", () => {
  const asked: unknown[] = [];
  const body = { kind: "SelfSubjectAccessReview", spec: { resourceAttributes: pods } };
  expect(reviewer(asked).review(body, bob)).toEqual({ ...body, status: { allowed: false } });
  const attributes = {
    kind: "resource",
    ...pods,
    group: "",
    version: "*",
    subresource: "",
    name: "",
  };
  expect(asked).toEqual([[bob, attributes]]);
});

test("an access review about others is decided for the user it names", () => {
  const asked: unknown[] = [];
  const spec = { user: "alice", groups: ["g"], nonResourceAttributes: { path: "/x", verb: "get" } };
  const body = { kind: "SubjectAccessReview", spec };
  expect(reviewer(asked).review(body, bob)).toEqual({
    ...body,
    status: { allowed: true, reason: "she is alice" },
  });
  expect(asked).toEqual([
    [
      { username: "alice", groups: ["g"] },
      { kind: "path", path: "/x", verb: "get" },
    ],
  ]);
});

test("an access review asks about exactly one thing, and about somebody", () => {
  const kind = "SubjectAccessReview";
  expect(refused({ kind })).toBe(
    '.authorization.k8s.io "" is invalid: [spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one of user or group must be specified]',
  );
  const both = { user: "u", nonResourceAttributes: { path: "/x" }, resourceAttributes: {} };
  expect(refused({ kind, metadata: { name: "q" }, spec: both })).toBe(
    '.authorization.k8s.io "" is invalid: [spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":""}: cannot be specified in combination with resourceAttributes, metadata: Invalid value: {"name":"q"}: must be empty]',
  );
});

test("selectors of an access review have one form, and requirements that make sense", () => {
  const selectors = {
    fieldSelector: { rawSelector: "a=b", requirements: [{ key: "", operator: "In" }] },
    labelSelector: { requirements: [] },
  };
  const spec = { resourceAttributes: selectors };
  const at = "spec.resourceAttributes";
  expect(refused({ kind: "SelfSubjectAccessReview", spec })).toBe(
    `.authorization.k8s.io "" is invalid: [${at}.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements, ${at}.fieldSelector.requirements[0].key: Required value: must be specified, ${at}.fieldSelector.requirements[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn', ${at}.labelSelector.requirements: Required value: when ${at}.labelSelector is specified, requirements or rawSelector is required]`,
  );
});

test("label requirements of an access review are label requirements", () => {
  const requirements = [
    { key: "ok", operator: "Exists", values: ["v"] },
    { key: "ok", operator: "FromTheFuture", values: ["-"] },
  ];
  const spec = { resourceAttributes: { labelSelector: { requirements } } };
  const message = refused({ kind: "SelfSubjectAccessReview", spec });
  expect(message).toContain(
    "requirements[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
  );
  expect(message).toContain('requirements[1].values[0]: Invalid value: "-": a valid label must');
});

test("a local access review stays in its namespace and asks about resources", () => {
  const kind = "LocalSubjectAccessReview";
  const metadata = { namespace: "x" };
  const spec = { user: "alice", resourceAttributes: pods };
  expect(reviewer().review({ kind, metadata, spec } as KubernetesObject, bob)).toMatchObject({
    status: { allowed: true },
  });
  expect(refused({ kind, metadata: { namespace: "y", name: "n" }, spec })).toBe(
    '.authorization.k8s.io "" is invalid: [metadata: Invalid value: {"namespace":"y","name":"n"}: must be empty except for namespace, spec.resourceAttributes.namespace: Invalid value: "x": must match metadata.namespace]',
  );
  const path = { user: "u", nonResourceAttributes: { path: "/x", verb: "get" } };
  expect(refused({ kind, metadata, spec: path })).toBe(
    '.authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: disallowed on this kind of request',
  );
});

test("a rules review needs a namespace and answers its rules", () => {
  const kind = "SelfSubjectRulesReview";
  expect(refused({ kind, spec: {} })).toBe("no namespace on request");
  const body: KubernetesObject & { spec: unknown } = { kind, spec: { namespace: "x" } };
  expect(reviewer().review(body, bob)).toMatchObject({
    spec: {},
    status: { resourceRules: [{ resources: ["bob in x"] }], incomplete: false },
  });
});

test("a token that nobody knows is invalid, and none is a bad request", () => {
  const kind = "TokenReview";
  expect(refused({ kind, spec: {} })).toBe("token is required for TokenReview in authentication");
  const body = { kind, spec: { token: "zzz" } };
  expect(reviewer().review(body, bob)).toEqual({
    ...body,
    status: { user: {}, error: "invalid bearer token" },
  });
});

test("a token that is known gives its user", () => {
  const known = new Reviewer({
    authorizer: alwaysAllow,
    authenticate: (token, audiences) =>
      token === "good" && audiences.includes("here")
        ? { user: bob, audiences: ["here"] }
        : { error: "invalid bearer token" },
    now: () => 0,
  });
  const body = { kind: "TokenReview", spec: { token: "good", audiences: ["here"] } };
  expect(known.review(body, {})).toMatchObject({
    status: { authenticated: true, user: bob, audiences: ["here"] },
  });
});

test("what a review could not understand is said beside its answer", () => {
  const attributes = { ...pods, labelSelector: { rawSelector: "a in" } };
  const body = { kind: "SelfSubjectAccessReview", spec: { resourceAttributes: attributes } };
  expect(reviewer().review(body, bob)).toMatchObject({
    status: {
      allowed: false,
      evaluationError: "spec.resourceAttributes.labelSelector ignored due to parse error",
    },
  });
});

test("other kinds are no reviews", () => {
  expect(reviewer().review({ kind: "Pod" }, bob)).toBeUndefined();
});
