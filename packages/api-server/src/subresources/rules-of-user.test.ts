import { expect, test } from "vitest";
import { heldRule } from "../authorization/policy-rule.ts";
import { rulesOfUser } from "./rules-of-user.ts";

test("rules of resources and of paths are told apart, and names only where there are any", () => {
  const rules = [
    heldRule({ verbs: ["get"], apiGroups: [""], resources: ["pods"], resourceNames: ["a"] }),
    heldRule({ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }),
    heldRule({ verbs: ["get"], nonResourceURLs: ["/healthz"] }),
  ];
  expect(rulesOfUser({ rules, missing: [] })).toEqual({
    resourceRules: [
      { verbs: ["get"], apiGroups: [""], resources: ["pods"], resourceNames: ["a"] },
      { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    ],
    nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz"] }],
    incomplete: false,
  });
});

test("roles that could not be found are told beside what was found", () => {
  const role = (name: string) => ({ apiGroup: "", kind: "ClusterRole", name });
  expect(rulesOfUser({ rules: [], missing: [role("b"), role("a"), role("b")] })).toEqual({
    resourceRules: [],
    nonResourceRules: [],
    incomplete: false,
    evaluationError:
      '[clusterrole.rbac.authorization.k8s.io "b" not found, clusterrole.rbac.authorization.k8s.io "a" not found]',
  });
});
