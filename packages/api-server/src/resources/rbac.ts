/**
 * Roles and bindings. Their names may hold anything that is safe in a URL (`system:node`), and a
 * binding never changes what it binds.
 */

import { FieldError, FieldPath } from "@homeostat/object-model";
import type {
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
  RoleRef,
} from "@homeostat/object-model/rbac-v1";
import type { Strategy } from "../registry/strategy.ts";
import { checkSegmentName } from "./core.ts";
import { internalForm, sameInternal } from "./internal-form.ts";

const GROUP = "rbac.authorization.k8s.io";
const ROLE_REF = FieldPath.of("roleRef");

export const roles: Strategy<Role> = { createOnUpdate: true, checkName: checkSegmentName };

export const clusterRoles: Strategy<ClusterRole> = {
  createOnUpdate: true,
  checkName: checkSegmentName,
};

export const roleBindings: Strategy<RoleBinding> = {
  createOnUpdate: true,
  checkName: checkSegmentName,
  validate: (binding) => checkRoleRef(binding.roleRef, ["Role", "ClusterRole"]),
  validateUpdate: (binding, old) => [
    ...checkRoleRef(binding.roleRef, ["Role", "ClusterRole"]),
    ...checkSameRoleRef(binding.roleRef, old.roleRef),
  ],
};

export const clusterRoleBindings: Strategy<ClusterRoleBinding> = {
  createOnUpdate: true,
  checkName: checkSegmentName,
  validate: (binding) => checkRoleRef(binding.roleRef, ["ClusterRole"]),
  validateUpdate: (binding, old) => [
    ...checkRoleRef(binding.roleRef, ["ClusterRole"]),
    ...checkSameRoleRef(binding.roleRef, old.roleRef),
  ],
};

function checkRoleRef(roleRef: RoleRef | undefined, kinds: readonly string[]): FieldError[] {
  const { apiGroup = "", kind = "", name = "" } = roleRef ?? {};
  const errors: FieldError[] = [];
  if (apiGroup !== GROUP) {
    errors.push(FieldError.notSupported(ROLE_REF.child("apiGroup"), apiGroup, [GROUP]));
  }
  if (!kinds.includes(kind)) {
    errors.push(FieldError.notSupported(ROLE_REF.child("kind"), kind, kinds));
  }
  if (name === "") errors.push(FieldError.required(ROLE_REF.child("name")));
  else {
    for (const problem of checkSegmentName(name, { prefix: false })) {
      errors.push(FieldError.invalid(ROLE_REF.child("name"), name, problem));
    }
  }
  return errors;
}

function checkSameRoleRef(roleRef: RoleRef | undefined, old: RoleRef | undefined): FieldError[] {
  if (sameInternal("rbac.RoleRef", roleRef, old)) return [];
  return [
    FieldError.invalid(ROLE_REF, internalForm("rbac.RoleRef", roleRef), "cannot change roleRef"),
  ];
}
