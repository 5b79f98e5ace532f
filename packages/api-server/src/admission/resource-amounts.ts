import { ownKey, Quantity, setOwnKey } from "@homeostat/object-model";
import type { PodSpec, ResourceRequirements } from "@homeostat/object-model/core-v1";

/** Amounts of resources by name, as they stand in an object. */
export type ResourceAmounts = Readonly<Record<string, string | number>>;

/** Amounts that can be counted with. */
export type Amounts = ReadonlyMap<string, Quantity>;

export function amountsOf(amounts: ResourceAmounts = {}): Amounts {
  return new Map(Object.entries(amounts).map(([name, value]) => [name, Quantity.fromJson(value)]));
}

export function printAmounts(amounts: Amounts): Record<string, string> {
  const printed: Record<string, string> = {};
  for (const [name, amount] of amounts) setOwnKey(printed, name, String(amount));
  return printed;
}

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  const sum = new Map(a);
  for (const [name, amount] of b) sum.set(name, sum.get(name)?.add(amount) ?? amount);
  return sum;
}

/** Of each resource the more. */
function maxAmounts(a: Amounts, b: Amounts): Amounts {
  const most = new Map(a);
  for (const [name, amount] of b) {
    const other = most.get(name);
    if (other === undefined || amount.compare(other) > 0) most.set(name, amount);
  }
  return most;
}

/** What a pod may set for itself as a whole, instead of for its containers. */
const POD_LEVEL = ["cpu", "memory"];

/**
 * What a pod needs (or may use) at most at any time: its containers together, or an init container with
 * those that keep running beside it.
 */
export function podAmounts(spec: PodSpec, what: keyof Needs): Amounts {
  let total: Amounts = new Map();
  for (const { resources } of spec.containers) total = addAmounts(total, needs(resources, what));
  let sidecars: Amounts = new Map();
  let starting: Amounts = new Map();
  for (const { resources, restartPolicy } of spec.initContainers ?? []) {
    const amounts = needs(resources, what);
    const beside = addAmounts(amounts, sidecars);
    if (restartPolicy === "Always") {
      total = addAmounts(total, amounts);
      sidecars = beside;
    }
    starting = maxAmounts(starting, beside);
  }
  total = maxAmounts(total, starting);
  const whole = new Map(total);
  for (const name of POD_LEVEL) {
    const amount = ownKey(spec.resources?.[what], name);
    if (amount !== undefined) whole.set(name, Quantity.fromJson(amount));
  }
  return whole;
}

type Needs = Pick<ResourceRequirements, "limits" | "requests">;

function needs(resources: ResourceRequirements | undefined, what: keyof Needs): Amounts {
  return amountsOf(resources?.[what]);
}
