/** Role bindings of both scopes. What one binds never changes. */
import type {
  ClusterRoleBinding,
  RoleBinding,
  RoleRef,
  Subject,
} from "@homeostat/object-model/rbac-v1";
import {
  all,
  type ChangeRule,
  dns1123Subdomain,
  each,
  fields,
  ifSet,
  type Rule,
  required,
} from "@homeostat/schema";
import { internalForm, sameInternal } from "../resources/internal-form.ts";
import { knownChoice } from "./checks/choices.ts";
import { pathSegment } from "./checks/path-segments.ts";
import { requiredThen } from "./checks/required-then.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

type AnyBinding = ClusterRoleBinding | RoleBinding;

const GROUP = "rbac.authorization.k8s.io";

export const roleBindingRules: readonly NamedTypeRules[] = [
  rulesFor<RoleBinding>("rbac.v1.RoleBinding", {
    validate: (value, place) => inNamespace(value, place),
    validateChange: (change, place) => sameRole(change, place),
  }),
  rulesFor<ClusterRoleBinding>("rbac.v1.ClusterRoleBinding", {
    validate: (value, place) => inCluster(value, place),
    validateChange: (change, place) => sameRole(change, place),
  }),
  rulesFor<RoleRef>("rbac.v1.RoleRef", { defaults: { apiGroup: GROUP } }),
  rulesFor<Subject>("rbac.v1.Subject", {
    setDefaults(value) {
      if (value.kind === "User" || value.kind === "Group") value.apiGroup ||= GROUP;
    },
  }),
];

const sameRole: ChangeRule<AnyBinding> = ({ value, old }, place) => {
  if (sameInternal("rbac.RoleRef", value?.roleRef, old?.roleRef)) return;
  const shown = internalForm("rbac.RoleRef", value?.roleRef);
  place.child("roleRef").invalid(shown, "cannot change roleRef");
};

function subject(namespaced: boolean): Rule<Subject> {
  const ofUsers = fields<Subject>({ apiGroup: knownChoice(GROUP) });
  const ofKind: ReadonlyMap<string, Rule<Subject>> = new Map([
    [
      "ServiceAccount",
      fields<Subject>({
        name: ifSet(dns1123Subdomain),
        apiGroup: knownChoice(""),
        namespace: namespaced ? [] : required,
      }),
    ],
    ["User", ofUsers],
    ["Group", ofUsers],
  ]);
  return all(fields<Subject>({ name: required }), (value, place) => {
    const kind = value?.kind ?? "";
    const rule = ofKind.get(kind);
    if (rule === undefined) place.child("kind").notSupported(kind, [...ofKind.keys()]);
    else rule(value, place);
  });
}

/** One of a namespace binds roles of either scope, and service accounts of its own namespace. */
function binding({ namespaced }: { readonly namespaced: boolean }): Rule<AnyBinding> {
  return fields<AnyBinding>({
    roleRef: fields<RoleRef>({
      apiGroup: knownChoice(GROUP),
      kind: namespaced ? knownChoice("Role", "ClusterRole") : knownChoice("ClusterRole"),
      name: requiredThen(pathSegment),
    }),
    subjects: each(subject(namespaced)),
  });
}

const inNamespace = binding({ namespaced: true });
const inCluster = binding({ namespaced: false });

export const roleBindingAgain: ChangeRule<RoleBinding, RuleContext> = ({ value }, place) =>
  inNamespace(value, place);

export const clusterRoleBindingAgain: ChangeRule<ClusterRoleBinding, RuleContext> = (
  { value },
  place,
) => inCluster(value, place);
