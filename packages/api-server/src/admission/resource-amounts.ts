import { ownKey, Quantity, setOwnKey } from "@homeostat/object-model";
import type { Container, PodSpec, ResourceRequirements } from "@homeostat/object-model/core-v1";

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
export function maxAmounts(a: Amounts, b: Amounts): Amounts {
  const most = new Map(a);
  for (const [name, amount] of b) {
    const other = most.get(name);
    if (other === undefined || amount.compare(other) > 0) most.set(name, amount);
  }
  return most;
}

/** Whether both say the same amounts, however they are written. */
export function isSameAmounts(a: ResourceAmounts = {}, b: ResourceAmounts = {}): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    const other = ownKey(b, name);
    return other !== undefined && Quantity.fromJson(a[name]!).equals(Quantity.fromJson(other));
  });
}

export type Needs = keyof Pick<ResourceRequirements, "limits" | "requests">;

export interface PodAmountsOptions {
  /** What a container counts for. Default: what its spec says. */
  readonly amountsOf?: (container: Readonly<Container>) => Amounts;
  /** Resources that the pod may set for itself as a whole. Default: processors and memory. */
  readonly isOfPod?: (name: string) => boolean;
}

/**
 * What a pod needs (or may use) at most at any time: its containers together, or an init container with
 * those that keep running beside it. What it says for itself as a whole counts instead.
 */
export function podAmounts(
  spec: PodSpec,
  what: Needs,
  options: PodAmountsOptions = {},
): ReadonlyMap<string, Quantity> {
  const { isOfPod = isCompute } = options;
  const needs = options.amountsOf ?? (({ resources }) => amountsOf(resources?.[what]));
  let total: Amounts = new Map();
  for (const container of spec.containers) total = addAmounts(total, needs(container));
  let sidecars: Amounts = new Map();
  let starting: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const amounts = needs(container);
    const beside = addAmounts(amounts, sidecars);
    if (container.restartPolicy === "Always") {
      total = addAmounts(total, amounts);
      sidecars = beside;
    }
    starting = maxAmounts(starting, beside);
  }
  const whole = new Map(maxAmounts(total, starting));
  for (const [name, amount] of Object.entries(spec.resources?.[what] ?? {})) {
    if (isOfPod(name)) whole.set(name, Quantity.fromJson(amount));
  }
  return whole;
}

function isCompute(name: string): boolean {
  return name === "cpu" || name === "memory";
}

/** What kubelets can set for a pod as a whole. */
export function isPodLevel(name: string): boolean {
  return isCompute(name) || name.startsWith("hugepages-");
}
