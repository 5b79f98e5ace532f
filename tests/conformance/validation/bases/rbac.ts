import type {
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
} from "@homeostat/object-model/rbac-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const group = "rbac.authorization.k8s.io";
const rule = {
  apiGroups: ["apps"],
  resources: ["deployments", "deployments/status"],
  resourceNames: ["web"],
  verbs: ["get", "update"],
};
const subjects = [
  { kind: "User", apiGroup: group, name: "alice" },
  { kind: "Group", apiGroup: group, name: "team" },
  { kind: "ServiceAccount", name: "runner", namespace: "probes" },
];

const roles = { plain: { rules: [rule] }, empty: {} } satisfies Variants<Role>;
const clusterRoles = {
  plain: { rules: [rule, { nonResourceURLs: ["/healthz", "/metrics/*"], verbs: ["get"] }] },
  aggregated: {
    aggregationRule: {
      clusterRoleSelectors: [
        {
          matchLabels: { a: "b" },
          matchExpressions: [{ key: "c", operator: "In", values: ["d"] }],
        },
      ],
    },
  },
} satisfies Variants<ClusterRole>;
const roleBindings = {
  plain: { subjects, roleRef: { apiGroup: group, kind: "Role", name: "some" } },
  cluster: { subjects, roleRef: { apiGroup: group, kind: "ClusterRole", name: "view" } },
} satisfies Variants<RoleBinding>;
const clusterRoleBindings = {
  plain: { subjects, roleRef: { apiGroup: group, kind: "ClusterRole", name: "view" } },
} satisfies Variants<ClusterRoleBinding>;

const rbac = { group, version: "v1" } as const;

export const rbacKinds: readonly ProbedKind[] = [
  {
    ...rbac,
    name: "clusterrolebindings",
    plural: "clusterrolebindings",
    variants: clusterRoleBindings,
  },
  { ...rbac, name: "clusterroles", plural: "clusterroles", variants: clusterRoles },
  { ...rbac, name: "rolebindings", plural: "rolebindings", variants: roleBindings },
  { ...rbac, name: "roles", plural: "roles", variants: roles },
];
