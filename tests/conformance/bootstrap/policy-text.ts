import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  RoleBinding,
  Subject,
} from "@homeostat/object-model/rbac-v1";
import type { FreshPlane } from "./fresh-plane.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const AGGREGATE = "rbac.authorization.k8s.io/";

/** The roles and bindings of a fresh server in the form that bootstrap/default-policy.ts reads. */
export function policyText(plane: FreshPlane): string {
  const roles = (path: string): ClusterRole[] =>
    plane[`${RBAC}/${path}`] as unknown as ClusterRole[];
  const bindings = (path: string): (ClusterRoleBinding | RoleBinding)[] =>
    plane[`${RBAC}/${path}`] as unknown as RoleBinding[];
  return [
    ...roles("clusterroles").map(roleText),
    ...roles("roles").map(roleText),
    ...bindings("clusterrolebindings").map(bindingText),
    ...bindings("rolebindings").map(bindingText),
  ].join("\n");
}

function roleText(role: ClusterRole): string {
  const { name = "", namespace, labels = {} } = role.metadata;
  const kind = namespace === undefined ? "ClusterRole" : `Role ${namespace}`;
  const marks = Object.keys(labels).filter((label) => label.startsWith(AGGREGATE));
  const selectors = role.aggregationRule?.clusterRoleSelectors ?? [];
  return [
    [kind, name, ...marks.map((label) => `+${label.slice(AGGREGATE.length)}`)].join(" "),
    ...selectors.flatMap(({ matchLabels = {} }) =>
      Object.keys(matchLabels).map((label) => `  aggregates ${label.slice(AGGREGATE.length)}`),
    ),
    ...(role.rules ?? []).map(ruleText),
  ].join("\n");
}

function ruleText(rule: PolicyRule): string {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs } = rule;
  if (nonResourceURLs !== undefined) return `  ${verbs.join()} at ${nonResourceURLs.join()}`;
  const groups = apiGroups.map((group) => (group === "" ? "core" : group));
  const names = resourceNames.length === 0 ? "" : ` ${resourceNames.join()}`;
  return `  ${verbs.join()} ${groups.join()} ${resources.join()}${names}`;
}

function bindingText(binding: ClusterRoleBinding | RoleBinding): string {
  const { name = "", namespace } = binding.metadata;
  const kind = namespace === undefined ? "ClusterRoleBinding" : `RoleBinding ${namespace}`;
  const { roleRef } = binding;
  const of = roleRef.name === name ? "" : ` of ${roleRef.name}`;
  return [`${kind} ${name}${of}`, ...(binding.subjects ?? []).map(subjectText)].join("\n");
}

function subjectText({ kind, name, namespace }: Subject): string {
  return namespace === undefined ? `  ${kind} ${name}` : `  ${kind} ${name} ${namespace}`;
}
