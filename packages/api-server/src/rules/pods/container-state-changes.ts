/** Which containers that ended may be told to run again. */
import type { Container, ContainerStatus, Pod, PodSpec } from "@homeostat/object-model/core-v1";
import type { Place } from "@homeostat/schema";

/** A container that ended for good stays ended. `place` is the status's. */
export function checkRestarts(pod: Readonly<Pod>, old: Readonly<Pod>, place: Place): void {
  const { spec } = old;
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
  for (const [list, allowed] of rules) {
    for (const [index, before] of (old.status?.[list] ?? []).entries()) {
      const ended = before.state?.terminated;
      if (!ended || !comesBack(before.name, pod.status?.[list])) continue;
      if (allowed(before.name, ended.exitCode)) continue;
      const at = place.child(list).index(index).child("state");
      at.forbidden("may not be transitioned to non-terminated state");
    }
  }
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
