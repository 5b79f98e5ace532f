/** Roles and bindings. Their names may hold anything that is safe in a URL (`system:node`). */

import type {
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
} from "@homeostat/object-model/rbac-v1";
import type { Strategy } from "../registry/strategy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { clusterRoleAgain, roleAgain } from "../rules/role.ts";
import { clusterRoleBindingAgain, roleBindingAgain } from "../rules/role-binding.ts";
import { checkSegmentName } from "./core.ts";

export const roles: Strategy<Role> = {
  createOnUpdate: true,
  checkName: checkSegmentName,
  revalidate: changeCheckOf(roleAgain),
};

export const clusterRoles: Strategy<ClusterRole> = {
  createOnUpdate: true,
  checkName: checkSegmentName,
  revalidate: changeCheckOf(clusterRoleAgain),
};

export const roleBindings: Strategy<RoleBinding> = {
  createOnUpdate: true,
  checkName: checkSegmentName,
  revalidate: changeCheckOf(roleBindingAgain),
};

export const clusterRoleBindings: Strategy<ClusterRoleBinding> = {
  createOnUpdate: true,
  checkName: checkSegmentName,
  revalidate: changeCheckOf(clusterRoleBindingAgain),
};
