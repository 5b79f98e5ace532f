import { expect, test } from "vitest";
import type { AccessAttributes } from "../authorization/authorizer.ts";
import { type AuditRule, orderOf, readAuditPolicy } from "./audit-policy.ts";
import { parseAuditPolicy } from "./parse-audit-policy.ts";

const EVE = { username: "eve", groups: ["system:authenticated", "ops"] };
const POD_LOG: AccessAttributes = {
  kind: "resource",
  verb: "get",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "log",
  namespace: "a",
  name: "p",
};

function policyOf(...rules: readonly object[]): ReturnType<typeof readAuditPolicy> {
  return readAuditPolicy({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules });
}

test.for<[Omit<AuditRule, "level">, boolean]>([
  [{}, true],
  [{ users: ["eve"] }, true],
  [{ users: ["adam"] }, false],
  [{ userGroups: ["x", "ops"] }, true],
  [{ userGroups: ["x"] }, false],
  [{ verbs: ["list", "get"] }, true],
  [{ verbs: ["list"] }, false],
  [{ namespaces: ["a"] }, true],
  [{ namespaces: [""] }, false],
  [{ resources: [{ group: "" }] }, true],
  [{ resources: [{ group: "apps" }] }, false],
  [{ resources: [{ group: "*", resources: ["pods/log"] }] }, true],
  [{ resources: [{ resources: ["pods"] }] }, false],
  [{ resources: [{ resources: ["pods/*"] }] }, true],
  [{ resources: [{ resources: ["*/log"] }] }, true],
  [{ resources: [{ resources: ["*"] }] }, true],
  [{ resources: [{ resources: ["pods/log"], resourceNames: ["q"] }] }, false],
  [{ resources: [{ resources: ["pods/log"], resourceNames: ["p"] }] }, true],
  [{ nonResourceURLs: ["*"] }, false],
])("a rule %j is about the log of a pod: %s", ([rule, isAbout]) => {
  const { level } = orderOf(policyOf({ level: "Metadata", ...rule }), EVE, POD_LOG);
  expect(level).toBe(isAbout ? "Metadata" : "None");
});

test.for<[string, boolean]>([
  ["/healthz*", true],
  ["/healthz/ping", true],
  ["/healthz", false],
  ["*", true],
  ["/health*", true],
])("a rule for %s is about /healthz/ping: %s", ([url, isAbout]) => {
  const asked: AccessAttributes = { kind: "path", verb: "get", path: "/healthz/ping" };
  const { level } = orderOf(policyOf({ level: "Request", nonResourceURLs: [url] }), EVE, asked);
  expect(level).toBe(isAbout ? "Request" : "None");
});

test("the first rule counts, with what is left out everywhere", () => {
  const policy = readAuditPolicy({
    apiVersion: "audit.k8s.io/v1",
    kind: "Policy",
    omitStages: ["RequestReceived"],
    omitManagedFields: true,
    rules: [
      { level: "Request", users: ["eve"], omitStages: ["Panic"], omitManagedFields: false },
      { level: "Metadata" },
    ],
  });
  expect(orderOf(policy, EVE, POD_LOG)).toEqual({
    level: "Request",
    omitStages: ["RequestReceived", "Panic"],
    omitManagedFields: false,
  });
  expect(orderOf(policy, { username: "x" }, POD_LOG)).toMatchObject({ omitManagedFields: true });
});

test.for<[object, string]>([
  [{ rules: [] }, "loaded illegal policy with 0 rules"],
  [{ kind: "Other" }, "unknown group version field audit.k8s.io/v1, Kind=Other in policy"],
  [{ rules: [{}] }, "rules[0].level: Required value"],
  [
    { rules: [{ level: "All" }] },
    'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
  ],
  [
    { rules: [{ level: "None", nonResourceURLs: ["a*b"] }] },
    `[rules[0].nonResourceURLs[0]: Invalid value: "a*b": non-resource URL rules must begin with a '/' character, rules[0].nonResourceURLs[0]: Invalid value: "a*b": non-resource URL wildcards '*' must be the final character of the rule]`,
  ],
  [
    { rules: [{ level: "None", resources: [{ resourceNames: ["a"] }] }] },
    'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
  ],
  [
    { rules: [{ level: "None", omitStages: ["End"] }] },
    'rules[0].omitStages[0]: Invalid value: "End": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
  ],
  [
    { rules: [{ level: "None", users: "eve" }] },
    "failed decoding: rules[0].users has to be a list of texts",
  ],
])("a policy with %j is refused: %s", ([part, message]) => {
  const policy = {
    apiVersion: "audit.k8s.io/v1",
    kind: "Policy",
    rules: [{ level: "None" }],
    ...part,
  };
  expect(() => readAuditPolicy(policy)).toThrow(message);
});

test("a policy is read from YAML, and what is none is refused", async () => {
  const read = (text: string): Promise<unknown> => parseAuditPolicy(Buffer.from(text));
  const text = "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n";
  expect(await read(text)).toMatchObject({ rules: [{ level: "Metadata" }] });
  await expect(read("{")).rejects.toMatchObject({ code: "audit-policy-invalid" });
  await expect(read("[]")).rejects.toMatchObject({ code: "audit-policy-invalid" });
});
