/** Roles of both scopes. */
import type { LabelSelector } from "@homeostat/object-model/meta-v1";
import type {
  AggregationRule,
  ClusterRole,
  PolicyRule,
  Role,
} from "@homeostat/object-model/rbac-v1";
import {
  type ChangeRule,
  each,
  fields,
  ifPresent,
  type Rule,
  requiredBecause,
} from "@homeostat/schema";
import { isRefused } from "./checks/is-refused.ts";
import { labelSelector, labelSelectorOfAnyValues, readSelector } from "./checks/label-selectors.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

export const roleRules: readonly NamedTypeRules[] = [
  rulesFor<Role>("rbac.v1.Role", { validate: (role, place) => rolePolicy(role, place) }),
  rulesFor<ClusterRole>("rbac.v1.ClusterRole", {
    validate: (role, place) => clusterPolicy(labelSelector)(role, place),
  }),
];

export const roleAgain: ChangeRule<Role, RuleContext> = ({ value }, place) =>
  rolePolicy(value, place);

export const clusterRoleAgain: ChangeRule<ClusterRole, RuleContext> = ({ value, old }, place) => {
  const isLax = (old?.aggregationRule?.clusterRoleSelectors ?? []).some((selector) =>
    isRefused(labelSelector, selector),
  );
  clusterPolicy(isLax ? labelSelectorOfAnyValues : labelSelector)(value, place);
};

/** About resources or about URLs; those of a namespace are never about URLs. */
function policyRule({ namespaced }: { readonly namespaced: boolean }): Rule<PolicyRule> {
  return (rule, place) => {
    const { nonResourceURLs = [], apiGroups = [], resources = [], resourceNames = [] } = rule ?? {};
    requiredBecause("verbs must contain at least one value")(rule?.verbs, place.child("verbs"));
    if (nonResourceURLs.length === 0) return ofResources(rule, place);
    const at = place.child("nonResourceURLs");
    if (namespaced) {
      at.invalid(nonResourceURLs, "namespaced rules cannot apply to non-resource URLs");
    }
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      const why = "rules cannot apply to both regular resources and non-resource URLs";
      at.invalid(nonResourceURLs, why);
    }
  };
}

const ofResources = fields<PolicyRule>({
  apiGroups: requiredBecause("resource rules must supply at least one api group"),
  resources: requiredBecause("resource rules must supply at least one resource"),
});

const rolePolicy = fields<Role>({ rules: each(policyRule({ namespaced: true })) });

function clusterPolicy(selector: Rule<LabelSelector>): Rule<ClusterRole> {
  const roleSelector: Rule<LabelSelector> = (value, place) => {
    selector(value, place);
    if (readSelector(value) === undefined) place.invalid(null, "invalid label selector.");
  };
  const noSelectors = "at least one clusterRoleSelector required if aggregationRule is non-nil";
  return fields<ClusterRole>({
    rules: each(policyRule({ namespaced: false })),
    aggregationRule: ifPresent(
      fields<AggregationRule>({
        clusterRoleSelectors: [requiredBecause(noSelectors), each(roleSelector)],
      }),
    ),
  });
}
