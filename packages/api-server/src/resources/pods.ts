/**
 * Pods: what the server fills in, what may change, and how long a deletion waits. A pod that no node
 * has or that has ended goes at once; any other stays until its node agent deletes it with grace 0.
 */

import { checkDns1123Label, ownKey, timeOfMilliseconds } from "@homeostat/object-model";
import type {
  Pod,
  PodAffinityTerm,
  PodSpec,
  TopologySpreadConstraint,
} from "@homeostat/object-model/core-v1";
import type { LabelSelector } from "@homeostat/object-model/meta-v1";
import type { Strategy } from "../registry/strategy.ts";
import { copyAppArmorAnnotations } from "./app-armor-annotations.ts";
import { qualityOfService } from "./pod-quality.ts";
import { ephemeralContainers, resize } from "./pod-resize.ts";
import { podStatus } from "./pod-status.ts";
import { dropInitContainerAnnotations, preparePodSpec } from "./pod-template.ts";
import { podWarnings } from "./pod-warnings.ts";

type Labels = { readonly [key: string]: string } | undefined;

export const pods: Strategy<Pod> = {
  generation: true,

  selectableFields: {
    "spec.nodeName": (pod) => pod.spec?.nodeName ?? "",
    "spec.restartPolicy": (pod) => pod.spec?.restartPolicy ?? "",
    "spec.schedulerName": (pod) => pod.spec?.schedulerName ?? "",
    "spec.serviceAccountName": (pod) => pod.spec?.serviceAccountName ?? "",
    "spec.hostNetwork": (pod) => String(pod.spec?.hostNetwork ?? false),
    "status.phase": (pod) => pod.status?.phase ?? "",
    "status.podIP": (pod) => pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP ?? "",
    // Accepted, and never anything but "".
    "status.podIPs": () => "",
    "status.nominatedNodeName": (pod) => pod.status?.nominatedNodeName ?? "",
  },

  prepareForCreate(pod, context) {
    prepare(pod, undefined);
    pod.status = { phase: "Pending", qosClass: qualityOfService(pod.spec) };
    if ((pod.spec?.schedulingGates ?? []).length > 0) {
      pod.status.conditions = [
        {
          type: "PodScheduled",
          status: "False",
          lastTransitionTime: timeOfMilliseconds(context.now),
          reason: "SchedulingGated",
          message: "Scheduling is blocked due to non-empty scheduling gates",
        },
      ];
    }
    if (pod.spec !== undefined) narrowToOwnLabels(pod.spec, pod.metadata.labels);
    for (const warning of copyAppArmorAnnotations(pod)) context.warn(warning);
  },

  prepareForUpdate(pod, old) {
    prepare(pod, old);
  },

  warnings(pod, old) {
    if (old !== undefined) return [];
    const problems = checkDns1123Label(pod.metadata.name ?? "");
    const advice =
      "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
    return [
      ...(problems.length > 0 ? [`${advice}: [${problems.join(" ")}]`] : []),
      ...podWarnings(pod, ""),
    ];
  },

  subresources: { status: podStatus, ephemeralcontainers: ephemeralContainers, resize },

  deletionGrace(pod, wanted) {
    const { phase } = pod.status ?? {};
    if (!pod.spec?.nodeName || phase === "Failed" || phase === "Succeeded") return 0;
    const seconds = wanted ?? pod.spec.terminationGracePeriodSeconds ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
};

function prepare(pod: Pod, old: Readonly<Pod> | undefined): void {
  dropInitContainerAnnotations(pod.metadata);
  if ((pod.spec?.terminationGracePeriodSeconds ?? 0) < 0) {
    pod.spec!.terminationGracePeriodSeconds = 1;
  }
  preparePodSpec(pod.spec, old?.spec);
}

/**
 * `matchLabelKeys` name labels whose values are those of this pod: they become part of the selectors
 * once and for all, since the pod's labels may change later.
 */
function narrowToOwnLabels(spec: PodSpec, labels: Labels): void {
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
    const weighted = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    for (const { podAffinityTerm } of weighted) narrowTerm(podAffinityTerm, labels);
    const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    for (const term of terms) narrowTerm(term, labels);
  }
  for (const constraint of spec.topologySpreadConstraints ?? [])
    narrowConstraint(constraint, labels);
}

function narrowTerm(term: PodAffinityTerm | undefined, labels: Labels): void {
  if (term?.labelSelector === undefined) return;
  require(term.labelSelector, term.matchLabelKeys, { operator: "In", labels });
  require(term.labelSelector, term.mismatchLabelKeys, { operator: "NotIn", labels });
}

function narrowConstraint(constraint: TopologySpreadConstraint, labels: Labels): void {
  if (constraint.labelSelector === undefined) return;
  require(constraint.labelSelector, constraint.matchLabelKeys, { operator: "In", labels });
}

function require(
  selector: LabelSelector,
  keys: readonly string[] | undefined,
  { operator, labels }: { readonly operator: string; readonly labels: Labels },
): void {
  for (const key of keys ?? []) {
    const value = ownKey(labels, key);
    if (value === undefined) continue;
    selector.matchExpressions = [
      ...(selector.matchExpressions ?? []),
      { key, operator, values: [value] },
    ];
  }
}
