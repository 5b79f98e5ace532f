/** Role bindings of both scopes. */
import type { RoleRef, Subject } from "@homeostat/object-model/rbac-v1";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

const GROUP = "rbac.authorization.k8s.io";

export const roleBindingRules: readonly NamedTypeRules[] = [
  rulesFor<RoleRef>("rbac.v1.RoleRef", { defaults: { apiGroup: GROUP } }),
  rulesFor<Subject>("rbac.v1.Subject", {
    setDefaults(subject) {
      if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup ||= GROUP;
    },
  }),
];
