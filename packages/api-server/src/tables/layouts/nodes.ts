import type { Node } from "@homeostat/object-model/core-v1";
import type { RuntimeClass } from "@homeostat/object-model/node-v1";
import { age, nameOf, sortedSet } from "../cell-texts.ts";
import { AGE, column, NAME, wide } from "../columns.ts";
import { layout, type Printed, type TableLayout } from "../table.ts";

export const NODE: TableLayout = layout<Node>({
  columns: [
    NAME,
    column("Status", "The status of the node"),
    column("Roles", "The roles of the node"),
    AGE,
    column("Version", "Kubelet Version reported by the node."),
    wide(
      "Internal-IP",
      "List of addresses reachable to the node. Queried from cloud provider, if available. More info: https://kubernetes.io/docs/reference/node/node-status/#addresses Note: This field is declared as mergeable, but the merge key is not sufficiently unique, which can cause data corruption when it is merged. Callers should instead use a full-replacement patch. See https://pr.k8s.io/79391 for an example. Consumers should assume that addresses can change during the lifetime of a Node. However, there are some exceptions where this may not be possible, such as Pods that inherit a Node's address in its own status or consumers of the downward API (status.hostIP).",
    ),
    wide(
      "External-IP",
      "List of addresses reachable to the node. Queried from cloud provider, if available. More info: https://kubernetes.io/docs/reference/node/node-status/#addresses Note: This field is declared as mergeable, but the merge key is not sufficiently unique, which can cause data corruption when it is merged. Callers should instead use a full-replacement patch. See https://pr.k8s.io/79391 for an example. Consumers should assume that addresses can change during the lifetime of a Node. However, there are some exceptions where this may not be possible, such as Pods that inherit a Node's address in its own status or consumers of the downward API (status.hostIP).",
    ),
    wide(
      "OS-Image",
      "OS Image reported by the node from /etc/os-release (e.g. Debian GNU/Linux 7 (wheezy)).",
    ),
    wide(
      "Kernel-Version",
      "Kernel Version reported by the node from 'uname -r' (e.g. 3.16.0-0.bpo.4-amd64).",
    ),
    wide(
      "Container-Runtime",
      "ContainerRuntime Version reported by the node through runtime remote API (e.g. containerd://1.4.2).",
    ),
  ],
  cells: (node, now) => {
    const { nodeInfo } = node.status ?? {};
    const architecture = nodeInfo?.architecture ? ` (${nodeInfo.architecture})` : "";
    return [
      nameOf(node),
      statusOf(node),
      rolesOf(node),
      age(node, now),
      nodeInfo?.kubeletVersion ?? "",
      addressOf(node, "InternalIP"),
      addressOf(node, "ExternalIP"),
      nodeInfo?.osImage || "<unknown>",
      `${nodeInfo?.kernelVersion || "<unknown>"}${architecture}`,
      nodeInfo?.containerRuntimeVersion || "<unknown>",
    ];
  },
});

export const RUNTIME_CLASS: TableLayout = layout<RuntimeClass>({
  columns: [NAME, column("Handler", ""), AGE],
  cells: (runtime, now) => [nameOf(runtime), runtime.handler ?? "", age(runtime, now)],
});

function statusOf({ spec, status }: Printed<Node>): string {
  const ready = status?.conditions?.findLast(({ type }) => type === "Ready");
  const text = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return spec?.unschedulable ? `${text},SchedulingDisabled` : text;
}

const ROLE_PREFIX = "node-role.kubernetes.io/";

function rolesOf({ metadata }: Printed<Node>): string {
  const roles: string[] = [];
  for (const [key, value] of Object.entries(metadata?.labels ?? {})) {
    if (key.startsWith(ROLE_PREFIX)) roles.push(key.slice(ROLE_PREFIX.length));
    else if (key === "kubernetes.io/role") roles.push(String(value));
  }
  return sortedSet(roles.filter((role) => role !== "")).join(",") || "<none>";
}

function addressOf({ status }: Printed<Node>, wanted: string): string {
  const found = status?.addresses?.find(({ type }) => type === wanted);
  return found === undefined ? "<none>" : (found.address ?? "");
}
