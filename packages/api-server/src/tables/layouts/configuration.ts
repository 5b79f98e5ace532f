import { ownKey } from "@homeostat/object-model";
import type { Lease } from "@homeostat/object-model/coordination-v1";
import type {
  ComponentStatus,
  ConfigMap,
  Namespace,
  ResourceQuota,
  Secret,
  ServiceAccount,
} from "@homeostat/object-model/core-v1";
import type { PriorityClass } from "@homeostat/object-model/scheduling-v1";
import { age, nameOf } from "../cell-texts.ts";
import { AGE, column, NAME } from "../columns.ts";
import { layout, type TableLayout } from "../table.ts";

export const CONFIG_MAP: TableLayout = layout<ConfigMap>({
  columns: [
    NAME,
    column(
      "Data",
      "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.",
    ),
    AGE,
  ],
  cells: (map, now) => [nameOf(map), sizeOf(map.data) + sizeOf(map.binaryData), age(map, now)],
});

export const SECRET: TableLayout = layout<Secret>({
  columns: [
    NAME,
    column(
      "Type",
      "Used to facilitate programmatic handling of secret data. More info: https://kubernetes.io/docs/concepts/configuration/secret/#secret-types",
    ),
    column(
      "Data",
      "Data contains the secret data. Each key must consist of alphanumeric characters, '-', '_' or '.'. The serialized form of the secret data is a base64 encoded string, representing the arbitrary (possibly non-string) data value here. Described in https://tools.ietf.org/html/rfc4648#section-4",
    ),
    AGE,
  ],
  cells: (secret, now) => [
    nameOf(secret),
    secret.type ?? "",
    sizeOf(secret.data),
    age(secret, now),
  ],
});

export const SERVICE_ACCOUNT: TableLayout = layout<ServiceAccount>({
  columns: [NAME, AGE],
  cells: (account, now) => [nameOf(account), age(account, now)],
});

export const NAMESPACE: TableLayout = layout<Namespace>({
  columns: [NAME, column("Status", "The status of the namespace"), AGE],
  cells: (namespace, now) => [
    nameOf(namespace),
    namespace.status?.phase ?? "",
    age(namespace, now),
  ],
});

export const RESOURCE_QUOTA: TableLayout = layout<ResourceQuota>({
  columns: [
    NAME,
    column(
      "Request",
      "Request represents a minimum amount of cpu/memory that a container may consume.",
    ),
    column(
      "Limit",
      "Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.",
    ),
    AGE,
  ],
  cells: (quota, now) => {
    const { hard, used } = quota.status ?? {};
    const requests: string[] = [];
    const limits: string[] = [];
    for (const name of Object.keys(hard ?? {}).sort()) {
      const amounts = `${ownKey(used ?? {}, name) ?? "0"}/${ownKey(hard ?? {}, name) ?? "0"}`;
      (name.startsWith("limits.") ? limits : requests).push(`${name}: ${amounts}`);
    }
    return [nameOf(quota), requests.join(", "), limits.join(", "), age(quota, now)];
  },
});

export const PRIORITY_CLASS: TableLayout = layout<PriorityClass>({
  columns: [
    NAME,
    column(
      "Value",
      "value represents the integer value of this priority class. This is the actual priority that pods receive when they have the name of this class in their pod spec.",
      "integer",
    ),
    column(
      "Global-Default",
      "globalDefault specifies whether this PriorityClass should be considered as the default priority for pods that do not have any priority class. Only one PriorityClass can be marked as `globalDefault`. However, if more than one PriorityClasses exists with their `globalDefault` field set to true, the smallest value of such global default PriorityClasses will be used as the default priority.",
      "boolean",
    ),
    AGE,
    column(
      "PreemptionPolicy",
      "preemptionPolicy is the Policy for preempting pods with lower priority. One of Never, PreemptLowerPriority. Defaults to PreemptLowerPriority if unset.",
    ),
  ],
  cells: (priority, now) => [
    nameOf(priority),
    priority.value ?? 0,
    priority.globalDefault ?? false,
    age(priority, now),
    priority.preemptionPolicy ?? "",
  ],
});

export const LEASE: TableLayout = layout<Lease>({
  columns: [
    NAME,
    column(
      "Holder",
      "holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader Election is used, the holder identity must be equal to the elected LeaseCandidate.metadata.name field.",
    ),
    AGE,
  ],
  cells: (lease, now) => [nameOf(lease), lease.spec?.holderIdentity ?? "", age(lease, now)],
});

export const COMPONENT_STATUS: TableLayout = layout<ComponentStatus>({
  columns: [
    NAME,
    column("Status", "Status of the component conditions"),
    column("Message", "Message of the component conditions"),
    column("Error", "Error of the component conditions"),
  ],
  cells: (component) => {
    const healthy = component.conditions?.find(({ type }) => type === "Healthy");
    if (healthy === undefined) return [nameOf(component), "Unknown", "", ""];
    const status = healthy.status === "True" ? "Healthy" : "Unhealthy";
    return [nameOf(component), status, healthy.message ?? "", healthy.error ?? ""];
  },
});

function sizeOf(map: object | null | undefined): number {
  return Object.keys(map ?? {}).length;
}
