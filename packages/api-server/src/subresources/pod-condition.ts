import type { Pod, PodCondition } from "@homeostat/object-model/core-v1";

/**
 * Sets a condition of a pod in place, after the others if it is new; the transition time moves only
 * when the status does.
 */
export function setPodCondition(
  pod: Pod,
  condition: Omit<PodCondition, "lastTransitionTime" | "lastProbeTime">,
  now: string,
): void {
  const status = (pod.status ??= {});
  const conditions = (status.conditions ??= []);
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[index];
  const moved = old?.status === condition.status ? old.lastTransitionTime : now;
  const entry = { ...condition, ...(moved != null && { lastTransitionTime: moved }) };
  if (old === undefined) conditions.push(entry);
  else conditions[index] = entry;
}
