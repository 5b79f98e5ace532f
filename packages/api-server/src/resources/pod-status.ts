/** The status subresource of pods: what the node agent reports, and what it may not take back. */

import type {
  Pod,
  PodCondition,
  PodStatus,
  VolumeMountStatus,
} from "@homeostat/object-model/core-v1";
import { Place } from "@homeostat/schema";
import type { SubresourceStrategy } from "../registry/strategy.ts";
import { ipWarnings } from "../rules/checks/ip-addresses.ts";
import { checkAnnotationUpdate } from "../rules/pods/pod-annotation-update.ts";
import { checkPodStatus } from "../rules/pods/pod-status-rule.ts";
import { keepMetadata, keepSpec } from "./status-updates.ts";

/** Labels and annotations pass with the status; owners do not, since old agents damaged them. */
export const podStatus: SubresourceStrategy<Pod> = {
  prepareForUpdate(pod, old) {
    keepSpec(pod, old);
    keepMetadata(pod, old, ["ownerReferences"]);
    if (!old.metadata.deletionTimestamp) delete pod.metadata.deletionTimestamp;
    pod.status ??= {};
    joinPodAddresses(pod.status);
    const before = old.status ?? {};
    if (!pod.status.qosClass && before.qosClass) pod.status.qosClass = before.qosClass;
    keepObservedGenerations(pod.status, before);
    dropUnreported(pod.status, before);
  },

  warnings: ({ status }) =>
    (["podIPs", "hostIPs"] as const).flatMap((list) => {
      const addresses: readonly { readonly ip?: string }[] = status?.[list] ?? [];
      return addresses.flatMap(({ ip = "" }, index) =>
        ipWarnings(`status.${list}[${index}].ip`, ip),
      );
    }),

  validateUpdate(pod, old) {
    const place = Place.root(undefined);
    checkAnnotationUpdate(pod, old, place);
    checkPodStatus(pod, old, place);
    return place.errors;
  },
};

/** What only nodes with features that are off report. */
function dropUnreported(status: PodStatus, old: Readonly<PodStatus>): void {
  if ((old.nodeAllocatableResourceClaimStatuses ?? []).length === 0) {
    delete status.nodeAllocatableResourceClaimStatuses;
  }
  const mountsOf = (from: Readonly<PodStatus>): readonly VolumeMountStatus[] =>
    [
      from.containerStatuses ?? [],
      from.initContainerStatuses ?? [],
      from.ephemeralContainerStatuses ?? [],
    ].flatMap((list) => list.flatMap(({ volumeMounts }) => volumeMounts ?? []));
  if (mountsOf(old).some(({ volumeStatus }) => volumeStatus !== undefined)) return;
  for (const mount of mountsOf(status)) delete mount.volumeStatus;
}

/** The first of `podIPs` is `podIP`, whichever of them was given; `podIP` wins where they differ. */
function joinPodAddresses(status: PodStatus): void {
  const { podIP, podIPs = [] } = status;
  if (podIP && podIPs[0]?.ip !== podIP) status.podIPs = [{ ip: podIP }];
  else if (podIPs[0]?.ip && !podIP) status.podIP = podIPs[0].ip;
}

/** A reporter that does not know the field does not erase what was observed. */
function keepObservedGenerations(status: PodStatus, old: Readonly<PodStatus>): void {
  if (!status.observedGeneration && old.observedGeneration) {
    status.observedGeneration = old.observedGeneration;
  }
  const seen = new Map<string, PodCondition[]>();
  for (const condition of old.conditions ?? []) {
    seen.set(condition.type, [...(seen.get(condition.type) ?? []), condition]);
  }
  for (const condition of status.conditions ?? []) {
    const before = seen.get(condition.type)?.shift()?.observedGeneration;
    if (!condition.observedGeneration && before) condition.observedGeneration = before;
  }
}
