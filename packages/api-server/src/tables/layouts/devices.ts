import type {
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from "@homeostat/object-model/resource-v1";
import { age, isDeleting, nameOf } from "../cell-texts.ts";
import { AGE, column, NAME } from "../columns.ts";
import { layout, type Printed, type TableLayout } from "../table.ts";

export const DEVICE_CLASS: TableLayout = layout<DeviceClass>({
  columns: [NAME, AGE],
  cells: (device, now) => [nameOf(device), age(device, now)],
});

export const RESOURCE_CLAIM_TEMPLATE: TableLayout = layout<ResourceClaimTemplate>({
  columns: [NAME, AGE],
  cells: (template, now) => [nameOf(template), age(template, now)],
});

export const RESOURCE_CLAIM: TableLayout = layout<ResourceClaim>({
  columns: [
    NAME,
    column("State", "A summary of the current state (allocated, pending, reserved, etc.)."),
    AGE,
  ],
  cells: (claim, now) => [nameOf(claim), stateOf(claim), age(claim, now)],
});

export const RESOURCE_SLICE: TableLayout = layout<ResourceSlice>({
  columns: [
    NAME,
    column(
      "Node",
      "NodeName identifies the node which provides the resources in this pool. A field selector can be used to list only ResourceSlice objects belonging to a certain node.\n\nThis field can be used to limit access from nodes to ResourceSlices with the same node name. It also indicates to autoscalers that adding new nodes of the same type as some old node might also make new resources available.\n\nExactly one of NodeName, NodeSelector, AllNodes, and PerDeviceNodeSelection must be set. This field is immutable.",
    ),
    column(
      "Driver",
      "Driver identifies the DRA driver providing the capacity information. A field selector can be used to list only ResourceSlice objects with a certain driver name.\n\nMust be a DNS subdomain and should end with a DNS domain owned by the vendor of the driver. It should use only lower case characters. This field is immutable.",
    ),
    column(
      "Pool",
      "Name is used to identify the pool. For node-local devices, this is often the node name, but this is not required.\n\nIt must not be longer than 253 characters and must consist of one or more DNS sub-domains separated by slashes. This field is immutable.",
    ),
    AGE,
  ],
  cells: (slice, now) => [
    nameOf(slice),
    slice.spec?.nodeName ?? "",
    slice.spec?.driver ?? "",
    slice.spec?.pool?.name ?? "",
    age(slice, now),
  ],
});

function stateOf(claim: Printed<ResourceClaim>): string {
  const states = isDeleting(claim) ? ["deleted"] : [];
  if (claim.status?.allocation != null) {
    states.push("allocated");
    if (claim.status.reservedFor?.length) states.push("reserved");
  } else if (!isDeleting(claim)) states.push("pending");
  return states.join(",");
}
