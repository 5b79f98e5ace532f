/**
 * What a default role or binding becomes that somebody has changed: it gets back what is missing and
 * keeps what was added, unless its annotation says that it is to be left alone.
 */
import { equalJson, ownKey } from "@homeostat/object-model";
import type { ClusterRole, ClusterRoleBinding, PolicyRule } from "@homeostat/object-model/rbac-v1";
import { isHeld, type Permission, permissionsOf } from "../authorization/covered-rules.ts";
import { heldRule } from "../authorization/policy-rule.ts";
import { AUTO_UPDATE, type DefaultPolicyObject } from "./default-policy.ts";

type PolicyObject = DefaultPolicyObject["object"];

/** Undefined where nothing is missing. */
export function reconciled(
  existing: Readonly<PolicyObject>,
  expected: Readonly<PolicyObject>,
): PolicyObject | undefined {
  const { annotations = {}, labels = {} } = existing.metadata ?? {};
  if (ownKey(annotations, AUTO_UPDATE) === "false") return undefined;
  const metadata = {
    ...existing.metadata,
    labels: { ...expected.metadata?.labels, ...labels },
    annotations: { ...expected.metadata?.annotations, ...annotations },
  };
  const wanted =
    "roleRef" in expected
      ? bindingOf(existing as ClusterRoleBinding, expected)
      : roleOf(existing as ClusterRole, expected);
  const object = { ...wanted, metadata };
  return isSame(object, existing) ? undefined : object;
}

function roleOf(existing: Readonly<ClusterRole>, expected: Readonly<ClusterRole>): ClusterRole {
  if (expected.aggregationRule) {
    const selectors = existing.aggregationRule?.clusterRoleSelectors ?? [];
    const missing = missingOf(selectors, expected.aggregationRule.clusterRoleSelectors ?? []);
    if (missing.length === 0) return existing;
    return { ...existing, aggregationRule: { clusterRoleSelectors: [...selectors, ...missing] } };
  }
  const rules = existing.rules ?? [];
  const held = rules.map(heldRule);
  const missing: Permission[] = [];
  for (const rule of expected.rules ?? []) {
    for (const permission of permissionsOf(heldRule(rule))) {
      if (!isHeld(held, permission)) missing.push(permission);
    }
  }
  if (missing.length === 0) return existing;
  return { ...existing, rules: [...rules, ...missing.map(ruleOf)] };
}

function ruleOf(permission: Permission): PolicyRule {
  const { verb } = permission;
  if ("url" in permission) return { verbs: [verb], nonResourceURLs: [permission.url] };
  const { group, resource, name } = permission;
  return {
    verbs: [verb],
    apiGroups: [group],
    resources: [resource],
    ...(name !== undefined && { resourceNames: [name] }),
  };
}

/** What a binding binds cannot be changed: one that binds something else is made anew. */
function bindingOf(
  existing: Readonly<ClusterRoleBinding>,
  expected: Readonly<ClusterRoleBinding>,
): ClusterRoleBinding {
  if (!isSame(existing.roleRef, expected.roleRef)) return expected;
  const subjects = existing.subjects ?? [];
  const missing = missingOf(subjects, expected.subjects ?? []);
  return missing.length === 0 ? existing : { ...existing, subjects: [...subjects, ...missing] };
}

function missingOf<T>(existing: readonly T[], expected: readonly T[]): T[] {
  return expected.filter((each) => !existing.some((other) => isSame(each, other)));
}

function isSame(one: unknown, other: unknown): boolean {
  return equalJson(one, other);
}
