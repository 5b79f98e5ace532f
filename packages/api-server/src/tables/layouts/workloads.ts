import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from "@homeostat/object-model/apps-v1";
import type { PodTemplate, ReplicationController } from "@homeostat/object-model/core-v1";
import { age, containerCells, labelText, nameOf, selectorText } from "../cell-texts.ts";
import { AGE, CONTAINERS, column, IMAGES, NAME, wide } from "../columns.ts";
import { layout, type Printed, type TableLayout } from "../table.ts";

export const POD_TEMPLATE: TableLayout = layout<PodTemplate>({
  columns: [
    NAME,
    column("Containers", "Names of each container in the template."),
    column("Images", "Images referenced by each container in the template."),
    column("Pod Labels", "The labels for the pod template."),
  ],
  cells: (object) => [
    nameOf(object),
    ...containerCells(object.template),
    labelText(object.template?.metadata?.labels),
  ],
});

export const REPLICATION_CONTROLLER: TableLayout = layout<ReplicationController>({
  columns: [
    NAME,
    column(
      "Desired",
      "Replicas is the number of desired replicas. This is a pointer to distinguish between explicit zero and unspecified. Defaults to 1. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller#what-is-a-replicationcontroller",
      "integer",
    ),
    column(
      "Current",
      "Replicas is the most recently observed number of replicas. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller#what-is-a-replicationcontroller",
      "integer",
    ),
    column("Ready", "The number of ready replicas for this replication controller.", "integer"),
    AGE,
    CONTAINERS,
    IMAGES,
    wide(
      "Selector",
      "Selector is a label query over pods that should match the Replicas count. If Selector is empty, it is defaulted to the labels present on the Pod template. Label keys and values that must match in order to be controlled by this replication controller, if empty defaulted to labels on Pod template. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
    ),
  ],
  cells: (controller, now) => [
    nameOf(controller),
    controller.spec?.replicas ?? 0,
    controller.status?.replicas ?? 0,
    controller.status?.readyReplicas ?? 0,
    age(controller, now),
    ...containerCells(controller.spec?.template),
    labelText(controller.spec?.selector),
  ],
});

export const REPLICA_SET: TableLayout = layout<ReplicaSet>({
  columns: [
    NAME,
    column(
      "Desired",
      "Replicas is the number of desired pods. This is a pointer to distinguish between explicit zero and unspecified. Defaults to 1. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset",
      "integer",
    ),
    column(
      "Current",
      "Replicas is the most recently observed number of non-terminating pods. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset",
      "integer",
    ),
    column(
      "Ready",
      "The number of non-terminating pods targeted by this ReplicaSet with a Ready Condition.",
      "integer",
    ),
    AGE,
    CONTAINERS,
    IMAGES,
    wide(
      "Selector",
      "Selector is a label query over pods that should match the replica count. Label keys and values that must match in order to be controlled by this replica set. It must match the pod template's labels. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
    ),
  ],
  cells: (set, now) => [
    nameOf(set),
    set.spec?.replicas ?? 0,
    set.status?.replicas ?? 0,
    set.status?.readyReplicas ?? 0,
    age(set, now),
    ...containerCells(set.spec?.template),
    selectorText(set.spec?.selector, BROKEN),
  ],
});

export const DEPLOYMENT: TableLayout = layout<Deployment>({
  columns: [
    NAME,
    column("Ready", "Number of the pod with ready state"),
    column(
      "Up-to-date",
      "Total number of non-terminating pods targeted by this deployment that have the desired template spec.",
    ),
    column(
      "Available",
      "Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by this deployment.",
    ),
    AGE,
    CONTAINERS,
    IMAGES,
    wide(
      "Selector",
      "Label selector for pods. Existing ReplicaSets whose pods are selected by this will be the ones affected by this deployment. It must match the pod template's labels.",
    ),
  ],
  cells: (deployment, now) => [
    nameOf(deployment),
    `${deployment.status?.readyReplicas ?? 0}/${deployment.spec?.replicas ?? 0}`,
    deployment.status?.updatedReplicas ?? 0,
    deployment.status?.availableReplicas ?? 0,
    age(deployment, now),
    ...containerCells(deployment.spec?.template),
    selectorText(deployment.spec?.selector, { none: "", broken: "<invalid>" }),
  ],
});

export const STATEFUL_SET: TableLayout = layout<StatefulSet>({
  columns: [NAME, column("Ready", "Number of the pod with ready state"), AGE, CONTAINERS, IMAGES],
  cells: (set, now) => [
    nameOf(set),
    `${set.status?.readyReplicas ?? 0}/${set.spec?.replicas ?? 0}`,
    age(set, now),
    ...containerCells(set.spec?.template),
  ],
});

export const DAEMON_SET: TableLayout = layout<DaemonSet>({
  columns: [
    NAME,
    column(
      "Desired",
      "The total number of nodes that should be running the daemon pod (including nodes correctly running the daemon pod). More info: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/",
      "integer",
    ),
    column(
      "Current",
      "The number of nodes that are running at least 1 daemon pod and are supposed to run the daemon pod. More info: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/",
      "integer",
    ),
    column(
      "Ready",
      "numberReady is the number of nodes that should be running the daemon pod and have one or more of the daemon pod running with a Ready Condition.",
      "integer",
    ),
    column(
      "Up-to-date",
      "The total number of nodes that are running updated daemon pod",
      "integer",
    ),
    column(
      "Available",
      "The number of nodes that should be running the daemon pod and have one or more of the daemon pod running and available (ready for at least spec.minReadySeconds)",
      "integer",
    ),
    column(
      "Node Selector",
      "NodeSelector is a selector which must be true for the pod to fit on a node. Selector which must match a node's labels for the pod to be scheduled on that node. More info: https://kubernetes.io/docs/concepts/configuration/assign-pod-node/",
    ),
    AGE,
    CONTAINERS,
    IMAGES,
    wide(
      "Selector",
      "A label query over pods that are managed by the daemon set. Must match in order to be controlled. It must match the pod template's labels. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
    ),
  ],
  cells: (set, now) => [
    nameOf(set),
    set.status?.desiredNumberScheduled ?? 0,
    set.status?.currentNumberScheduled ?? 0,
    set.status?.numberReady ?? 0,
    set.status?.updatedNumberScheduled ?? 0,
    set.status?.numberAvailable ?? 0,
    labelText(set.spec?.template?.spec?.nodeSelector),
    age(set, now),
    ...containerCells(set.spec?.template),
    selectorText(set.spec?.selector, BROKEN),
  ],
});

export const CONTROLLER_REVISION: TableLayout = layout<ControllerRevision>({
  columns: [
    NAME,
    column("Controller", "Controller of the object"),
    column("Revision", "Revision indicates the revision of the state represented by Data."),
    AGE,
  ],
  cells: (revision, now) => [
    nameOf(revision),
    controllerOf(revision),
    revision.revision ?? 0,
    age(revision, now),
  ],
});

const BROKEN = { none: "<none>", broken: "<error>" };

/** `statefulset.apps/web` */
function controllerOf({ metadata }: Printed<ControllerRevision>): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return "<none>";
  const { apiVersion = "", kind = "", name = "" } = owner;
  const group = apiVersion?.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return `${(group === "" ? `${kind}` : `${kind}.${group}`).toLowerCase()}/${name}`;
}
