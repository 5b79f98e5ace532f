/** The status subresource of pods: what the node agent reports, and what it may not take back. */

import { FieldError, FieldPath } from "@homeostat/object-model";
import type {
  Container,
  ContainerStatus,
  Pod,
  PodCondition,
  PodSpec,
  PodStatus,
} from "@homeostat/object-model/core-v1";
import type { SubresourceStrategy } from "../registry/strategy.ts";
import { checkImmutable } from "./field-checks.ts";
import { checkAnnotationUpdate } from "./pod-update.ts";
import { keepMetadata, keepSpec } from "./status-updates.ts";

const STATUS = FieldPath.of("status");

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
  },

  validateUpdate(pod, old) {
    const status = pod.status ?? {};
    const before = old.status ?? {};
    const errors = checkAnnotationUpdate(pod, old);
    const nominated = status.nominatedNodeName ?? "";
    if (old.spec?.nodeName && nominated !== "" && nominated !== (before.nominatedNodeName ?? "")) {
      const why = "may not be set on pods that are already bound to a node";
      errors.push(FieldError.forbidden(STATUS.child("nominatedNodeName"), why));
    }
    if ((status.observedGeneration ?? 0) < 0) {
      const path = STATUS.child("observedGeneration");
      const why = "must be a non-negative integer";
      errors.push(FieldError.invalid(path, status.observedGeneration, why));
    }
    errors.push(
      ...checkImmutable({
        path: STATUS.child("qosClass"),
        value: status.qosClass ?? "",
        old: before.qosClass ?? "",
      }),
      ...checkRestarts(status, before, old.spec),
    );
    return errors;
  },
};

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

/** A container that ended for good stays ended. */
function checkRestarts(
  status: Readonly<PodStatus>,
  old: Readonly<PodStatus>,
  spec: Readonly<PodSpec> | undefined,
): FieldError[] {
  const restartsAll = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].some(
    (container) =>
      container.restartPolicyRules?.some((rule) => rule.action === "RestartAllContainers"),
  );
  const never = (): boolean => false;
  const may = (containers: readonly Container[] | null | undefined) => {
    return (name: string, exitCode: number): boolean => {
      if (restartsAll) return true;
      const container = containers?.find((candidate) => candidate.name === name);
      return container !== undefined && mayRestart(container, spec, exitCode);
    };
  };
  const rules = [
    ["containerStatuses", may(spec?.containers)],
    ["initContainerStatuses", may(spec?.initContainers)],
    ["ephemeralContainerStatuses", never],
  ] as const;
  return rules.flatMap(([list, allowed]) => {
    const path = STATUS.child(list);
    return (old[list] ?? []).flatMap((before, index) => {
      const ended = before.state?.terminated;
      if (!ended || !comesBack(before.name, status[list])) return [];
      if (allowed(before.name, ended.exitCode)) return [];
      const why = "may not be transitioned to non-terminated state";
      return [FieldError.forbidden(path.index(index).child("state"), why)];
    });
  });
}

function comesBack(name: string, statuses: readonly ContainerStatus[] = []): boolean {
  const status = statuses.find((candidate) => candidate.name === name);
  return status !== undefined && !status.state?.terminated;
}

function mayRestart(
  container: Readonly<Container>,
  spec: Readonly<PodSpec> | undefined,
  exitCode: number,
): boolean {
  if (container.restartPolicy !== undefined) {
    const rule = container.restartPolicyRules?.find(({ exitCodes }) => {
      const listed = exitCodes?.values?.includes(exitCode) ?? false;
      return exitCodes !== undefined && listed === (exitCodes.operator === "In");
    });
    if (rule !== undefined) return true;
  }
  const policy = container.restartPolicy ?? spec?.restartPolicy;
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}
