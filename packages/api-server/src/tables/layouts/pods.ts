import type { Pod } from "@homeostat/object-model/core-v1";
import { age, nameOf } from "../cell-texts.ts";
import { AGE, column, NAME, wide } from "../columns.ts";
import { humanDuration } from "../human-duration.ts";
import { podSummary } from "../pod-summary.ts";
import { layout, type Printed, type TableLayout } from "../table.ts";

export const POD: TableLayout = layout<Pod>({
  columns: [
    NAME,
    column("Ready", "The aggregate readiness state of this pod for accepting traffic."),
    column("Status", "The aggregate status of the containers in this pod."),
    column(
      "Restarts",
      "The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.",
    ),
    AGE,
    wide(
      "IP",
      "podIP address allocated to the pod. Routable at least within the cluster. Empty if not yet allocated.",
    ),
    wide(
      "Node",
      "NodeName indicates in which node this pod is scheduled. If empty, this pod is a candidate for scheduling by the scheduler defined in schedulerName. Once this field is set, the kubelet for this node becomes responsible for the lifecycle of this pod. This field should not be used to express a desire for the pod to be scheduled on a specific node. https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename",
    ),
    wide(
      "Nominated Node",
      "nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be scheduled right away as preemption victims receive their graceful termination periods. This field does not guarantee that the pod will be scheduled on this node. Scheduler may decide to place the pod elsewhere if other nodes become available sooner. Scheduler may also decide to give the resources on this node to a higher priority pod that is created after preemption. As a result, this field may be different than PodSpec.nodeName when the pod is scheduled.",
    ),
    wide(
      "Readiness Gates",
      'If specified, all readiness gates will be evaluated for pod readiness. A pod is ready when all its containers are ready AND all conditions specified in the readiness gates have status equal to "True" More info: https://git.k8s.io/enhancements/keps/sig-network/580-pod-readiness-gates',
    ),
  ],
  cells: (pod, now) => {
    const { ready, total, status, restarts, lastRestart } = podSummary(pod);
    const ago =
      restarts > 0 && lastRestart !== undefined ? ` (${humanDuration(now - lastRestart)} ago)` : "";
    return [
      nameOf(pod),
      `${ready}/${total}`,
      status,
      `${restarts}${ago}`,
      age(pod, now),
      pod.status?.podIPs?.[0]?.ip || "<none>",
      pod.spec?.nodeName || "<none>",
      pod.status?.nominatedNodeName || "<none>",
      gatesOf(pod),
    ];
  },
  conditions: ({ status }) => {
    if (status?.phase === "Succeeded") return [SUCCEEDED];
    return status?.phase === "Failed" ? [FAILED] : [];
  },
});

const SUCCEEDED = {
  type: "Completed",
  status: "True",
  reason: "Succeeded",
  message: "The pod has completed successfully.",
};
const FAILED = { type: "Completed", status: "True", reason: "Failed", message: "The pod failed." };

/** How many of the readiness gates are open. */
function gatesOf({ spec, status }: Printed<Pod>): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  const open = gates.filter(
    ({ conditionType }) =>
      status?.conditions?.find(({ type }) => type === conditionType)?.status === "True",
  );
  return `${open.length}/${gates.length}`;
}
