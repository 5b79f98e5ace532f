import type { ClusterRoleBinding, RoleBinding } from "@homeostat/object-model/rbac-v1";
import { age, nameOf } from "../cell-texts.ts";
import { AGE, column, NAME, wide } from "../columns.ts";
import { type Cell, layout, type Printed, type TableLayout } from "../table.ts";

export const ROLE_BINDING: TableLayout = layout<RoleBinding>({
  columns: [
    NAME,
    column(
      "Role",
      "RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.",
    ),
    AGE,
    wide("Users", "Users in the roleBinding"),
    wide("Groups", "Groups in the roleBinding"),
    wide("ServiceAccounts", "ServiceAccounts in the roleBinding"),
  ],
  cells: bindingCells,
});

export const CLUSTER_ROLE_BINDING: TableLayout = layout<ClusterRoleBinding>({
  columns: [
    NAME,
    column(
      "Role",
      "RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.",
    ),
    AGE,
    wide("Users", "Users in the clusterRoleBinding"),
    wide("Groups", "Groups in the clusterRoleBinding"),
    wide("ServiceAccounts", "ServiceAccounts in the clusterRoleBinding"),
  ],
  cells: bindingCells,
});

type Binding = Printed<ClusterRoleBinding | RoleBinding>;

function bindingCells(binding: Binding, now: number): readonly Cell[] {
  const { roleRef } = binding;
  return [
    nameOf(binding),
    `${roleRef?.kind ?? ""}/${roleRef?.name ?? ""}`,
    age(binding, now),
    subjectsOf(binding, "User"),
    subjectsOf(binding, "Group"),
    subjectsOf(binding, "ServiceAccount"),
  ];
}

function subjectsOf({ subjects }: Binding, wanted: string): string {
  const found = (subjects ?? []).filter(({ kind }) => kind === wanted);
  const texts = found.map(({ namespace, name }) =>
    wanted === "ServiceAccount" && namespace ? `${namespace}/${name ?? ""}` : (name ?? ""),
  );
  return texts.join(", ");
}
