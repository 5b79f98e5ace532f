/** Which containers that ended may be told to run again. */
import type { Container, Pod, PodSpec } from "@homeostat/object-model/core-v1";
import type { Place } from "@homeostat/schema";
import { nameOf } from "./container-lists.ts";

/** A container that ended for good stays ended. `place` is the status's. */
export function checkRestarts(pod: Readonly<Pod>, old: Readonly<Pod>, place: Place): void {
  const { spec } = old;
  const restartsAll = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].some(
    (container) =>
      container.restartPolicyRules?.some((rule) => rule.action === "RestartAllContainers"),
  );
  const never = (): boolean => false;
  const may = (containers: readonly Container[] | null | undefined) => {
    // Of containers with one name the first counts.
    const byName = new Map((containers ?? []).toReversed().map((each) => [nameOf(each), each]));
    return (name: string, exitCode: number): boolean => {
      if (restartsAll) return true;
      const container = byName.get(name);
      return container !== undefined && mayRestart(container, spec, exitCode);
    };
  };
  const rules = [
    ["containerStatuses", may(spec?.containers)],
    ["initContainerStatuses", may(spec?.initContainers)],
    ["ephemeralContainerStatuses", never],
  ] as const;
  for (const [list, allowed] of rules) {
    const back = new Set(
      (pod.status?.[list] ?? []).filter(({ state }) => !state?.terminated).map(nameOf),
    );
    for (const [index, before] of (old.status?.[list] ?? []).entries()) {
      const ended = before.state?.terminated;
      const name = nameOf(before);
      if (!ended || !back.has(name) || allowed(name, ended.exitCode ?? 0)) continue;
      const at = place.child(list).index(index).child("state");
      at.forbidden("may not be transitioned to non-terminated state");
    }
  }
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
