/**
 * Pod-level resources, where a pod says some of them: huge page limits and all requests that it does
 * not say are what its containers ask together, or else its own limits.
 */
import { Quantity, setOwnKey } from "@homeostat/object-model";
import type { Container, PodSpec } from "@homeostat/object-model/core-v1";
import { addMissingResources, type ResourceList } from "./resource-list.ts";
import type { Unchecked } from "./type-rules.ts";

type Amounts = Map<string, Quantity>;
type Side = "limits" | "requests";

const HUGE_PAGES = "hugepages-";

/** Called when the requests of the containers have their defaults. */
export function setPodLevelDefaults(spec: Unchecked<PodSpec>): void {
  const { resources } = spec;
  if (!resources) return;
  const { limits = {}, requests = {} } = resources;
  if (isEmpty(limits) && isEmpty(requests)) return;

  const pageLimits = pick(sumOfContainers(spec, "limits"), isHugePages);
  for (const name of Object.keys(requests)) pageLimits.delete(name);
  addMissingResources(limits, textsOf(pageLimits));
  if (isEmpty(limits)) return;
  resources.limits = limits;

  const overcommittable = pick(sumOfContainers(spec, "requests"), isCpuOrMemory);
  addMissingResources(requests, textsOf(overcommittable));
  for (const [name, value] of Object.entries(limits)) {
    if (isCpuOrMemory(name) || isHugePages(name)) addMissingResources(requests, { [name]: value });
  }
  if (!isEmpty(requests)) resources.requests = requests;
}

/**
 * What the containers need at once: all ordinary containers and sidecars together, or, if that is
 * more, an init container with the sidecars started before it.
 */
export function sumOfContainers(spec: Unchecked<PodSpec>, side: Side): Amounts {
  const total: Amounts = new Map();
  const sidecars: Amounts = new Map();
  const starting: Amounts = new Map();
  for (const container of spec.containers ?? []) addTo(total, amountsOf(container, side));
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container, side);
    if (container.restartPolicy === "Always") {
      addTo(total, own);
      addTo(sidecars, own);
      raiseTo(starting, sidecars);
    } else {
      addTo(own, sidecars);
      raiseTo(starting, own);
    }
  }
  raiseTo(total, starting);
  return total;
}

function amountsOf(container: Unchecked<Container>, side: Side): Amounts {
  const entries = Object.entries(container.resources?.[side] ?? {});
  return new Map(entries.map(([name, value]) => [name, Quantity.fromJson(value ?? 0)]));
}

function addTo(sum: Amounts, more: Amounts): void {
  for (const [name, amount] of more) sum.set(name, sum.get(name)?.add(amount) ?? amount);
}

function raiseTo(least: Amounts, other: Amounts): void {
  for (const [name, amount] of other) {
    const known = least.get(name);
    if (known === undefined || amount.compare(known) > 0) least.set(name, amount);
  }
}

function pick(amounts: Amounts, wanted: (name: string) => boolean): Amounts {
  return new Map([...amounts].filter(([name]) => wanted(name)));
}

function textsOf(amounts: Amounts): ResourceList {
  const texts: ResourceList = {};
  for (const [name, amount] of amounts) setOwnKey<string | number>(texts, name, amount.toString());
  return texts;
}

function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

function isCpuOrMemory(name: string): boolean {
  return name === "cpu" || name === "memory";
}

function isEmpty(list: object): boolean {
  return Object.keys(list).length === 0;
}
