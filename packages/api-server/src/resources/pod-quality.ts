/** The quality of service class that kube-apiserver writes into a pod's status. */

import { ownKey, Quantity } from "@homeostat/object-model";
import type { PodSpec, ResourceRequirements } from "@homeostat/object-model/core-v1";

const COMPUTE = ["cpu", "memory"] as const;

type Amounts = Map<string, Quantity>;

/**
 * BestEffort: nothing is asked for. Guaranteed: every container limits cpu and memory, and what is
 * requested in sum equals what is limited. Burstable: the rest. Resources of the pod itself, where
 * given, decide alone.
 */
export function qualityOfService(
  spec: Readonly<PodSpec> | undefined,
): "BestEffort" | "Burstable" | "Guaranteed" {
  const requests: Amounts = new Map();
  const limits: Amounts = new Map();
  let guaranteed = true;
  for (const resources of resourcesOf(spec)) {
    add(requests, resources.requests);
    const limited = add(limits, resources.limits);
    // Pod-level resources without limits leave the question open; containers without do not.
    const mustLimit =
      spec?.resources === undefined || Object.keys(resources.limits ?? {}).length > 0;
    if (mustLimit && limited < COMPUTE.length) guaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const same = [...requests].every(([name, amount]) => limits.get(name)?.equals(amount) === true);
  return guaranteed && same && requests.size === limits.size ? "Guaranteed" : "Burstable";
}

function resourcesOf(spec: Readonly<PodSpec> | undefined): readonly ResourceRequirements[] {
  if (spec === undefined) return [];
  if (spec.resources !== undefined) return [spec.resources];
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(
    (container) => container.resources ?? {},
  );
}

/** Adds what is above zero; returns how many of the compute resources were. */
function add(sums: Amounts, amounts: ResourceRequirements["limits"]): number {
  let found = 0;
  for (const name of COMPUTE) {
    const amount = ownKey(amounts, name);
    if (amount === undefined) continue;
    const quantity = Quantity.fromJson(amount);
    if (quantity.sign() !== 1) continue;
    found++;
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? quantity : sum.add(quantity));
  }
  return found;
}
