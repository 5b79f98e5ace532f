import { compareBytewise, LabelSelector, parseTime } from "@homeostat/object-model";
import type { Container, Pod, PodAffinityTerm, PodSpec } from "@homeostat/object-model/core-v1";
import { qualityOfService } from "../../resources/pod-quality.ts";
import {
  type Amounts,
  addAmounts,
  amountsOf,
  isPodLevel,
  maxAmounts,
  type Needs,
  podAmounts,
} from "../resource-amounts.ts";
import { ONE, type QuotaMeter, type QuotaScope } from "./quota-meter.ts";

/** Resources of nodes: counted as such for what is requested, and with a prefix for both. */
const COMPUTE = ["cpu", "memory", "ephemeral-storage"];
const NAMES = new Set([
  "count/pods",
  "pods",
  ...COMPUTE,
  ...COMPUTE.map((name) => `requests.${name}`),
  ...COMPUTE.map((name) => `limits.${name}`),
]);
/** A quota of these makes every container say how much it needs. */
const REQUIRED = new Set(
  ["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);
const PRIORITY_CLASS = "PriorityClass";

export const podMeter: QuotaMeter = {
  handles: ({ operation, object, old }, { subresource }) => {
    if (subresource === "resize") return operation === "UPDATE";
    if (subresource !== "") return false;
    if (operation !== "UPDATE") return operation === "CREATE";
    return hasDeadline(object as Pod) !== hasDeadline(old as Pod);
  },
  counts: (name) => NAMES.has(name) || isHugePages(name) || isExtended(name),
  isIn: (scope, object) => isInScope(scope, object as Pod),
  missing: (names, object) => missingAmounts(names, (object as Pod).spec),
  usage: (object, now) => usageOf(object as Pod, now),
};

function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");
}

function isExtended(name: string): boolean {
  if (!name.startsWith("requests.")) return false;
  if (name.startsWith("requests.deviceclass.resource.kubernetes.io/")) return true;
  return name.includes("/") && !name.includes("kubernetes.io/");
}

function usageOf(pod: Pod, now: number): Amounts {
  const counted: Amounts = new Map([["count/pods", ONE]]);
  const { spec } = pod;
  if (spec === undefined || hasEnded(pod, now)) return counted;
  const amounts = (what: Needs): Amounts => {
    const ofContainer = effectiveAmounts(pod, what);
    return podAmounts(spec, what, { amountsOf: ofContainer, isOfPod: isPodLevel });
  };
  const overhead = amountsOf(spec.overhead);
  const requests = addAmounts(amounts("requests"), overhead);
  const limits = amounts("limits");
  const limited = new Map([...overhead].filter(([name]) => limits.get(name)?.isZero() === false));
  return addAmounts(counted, computeUsage(requests, addAmounts(limits, limited)));
}

/** While a container is resized, the most of what is wanted, given and promised counts. */
function effectiveAmounts(
  { spec, status }: Pod,
  what: Needs,
): (container: Readonly<Container>) => Amounts {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const pending = status?.conditions?.find(({ type }) => type === "PodResizePending");
  const isHopeless = pending?.reason === "Infeasible";
  const starts = new Set(
    (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy !== "Always"),
  );
  return (container) => {
    const wanted = amountsOf(container.resources?.[what]);
    const shown = statuses.find(({ name }) => name === container.name);
    if (shown?.resources === undefined || starts.has(container)) return wanted;
    const given = amountsOf(shown.resources[what]);
    const promised = what === "requests" ? amountsOf(shown.allocatedResources) : new Map();
    const held = maxAmounts(given, promised);
    return isHopeless ? held : maxAmounts(wanted, held);
  };
}

function computeUsage(requests: Amounts, limits: Amounts): Amounts {
  const usage = new Map([["pods", ONE]]);
  for (const [name, amount] of requests) {
    if (COMPUTE.includes(name) || name.startsWith("hugepages-")) usage.set(name, amount);
    const isOwn = name.includes("/") && !name.includes("kubernetes.io/");
    const isDevice = name.startsWith("deviceclass.resource.kubernetes.io/");
    if (COMPUTE.includes(name) || name.startsWith("hugepages-") || isOwn || isDevice) {
      usage.set(`requests.${name}`, amount);
    }
  }
  for (const [name, amount] of limits) {
    if (COMPUTE.includes(name)) usage.set(`limits.${name}`, amount);
  }
  return usage;
}

/** What has come to its end, or should have, does not count any more. */
function hasEnded({ status, metadata }: Pod, now: number): boolean {
  if (status?.phase === "Failed" || status?.phase === "Succeeded") return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  const deletedAt = Number(parseTime(deletionTimestamp) / 1_000_000n);
  return now > deletedAt + deletionGracePeriodSeconds * 1000;
}

function missingAmounts(names: readonly string[], spec: PodSpec | undefined): string | undefined {
  if (spec === undefined || isSetAsWhole(spec)) return undefined;
  const lacking = new Map<string, Set<string>>();
  for (const { name, resources } of [...spec.containers, ...(spec.initContainers ?? [])]) {
    const usage = computeUsage(amountsOf(resources?.requests), amountsOf(resources?.limits));
    for (const required of names) {
      if (!REQUIRED.has(required) || usage.has(required)) continue;
      lacking.set(required, (lacking.get(required) ?? new Set()).add(name));
    }
  }
  if (lacking.size === 0) return undefined;
  const parts = [...lacking]
    .toSorted(([a], [b]) => compareBytewise(a, b))
    .map(([name, containers]) => {
      return `${name} for: ${[...containers].toSorted(compareBytewise).join(",")}`;
    });
  return `must specify ${parts.join("; ")}`;
}

function isSetAsWhole({ resources }: PodSpec): boolean {
  return [resources?.requests, resources?.limits].some((set) =>
    Object.keys(set ?? {}).some(isPodLevel),
  );
}

function isInScope(scope: QuotaScope, pod: Pod): boolean {
  switch (scope.scopeName) {
    case "Terminating":
      return hasDeadline(pod);
    case "NotTerminating":
      return !hasDeadline(pod);
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case PRIORITY_CLASS:
      return matchesName(scope, pod.spec?.priorityClassName);
    case "CrossNamespacePodAffinity":
      return looksElsewhere(pod.spec);
    default:
      return false;
  }
}

/** Whether a name that an object may have is one that the scope selects. */
export function matchesName(scope: QuotaScope, name: string | undefined): boolean {
  const { scopeName: key, operator, values } = scope;
  const requirement = { key, operator, ...(values && { values }) };
  const selector = LabelSelector.fromObject({ matchExpressions: [requirement] });
  return selector.matches(name ? { [key]: name } : {});
}

function hasDeadline({ spec }: Pod): boolean {
  return (spec?.activeDeadlineSeconds ?? -1) >= 0;
}

function isBestEffort({ spec, status }: Pod): boolean {
  return (status?.qosClass || qualityOfService(spec)) === "BestEffort";
}

function looksElsewhere(spec: PodSpec | undefined): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].some((affinity) => {
    const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return [...required, ...preferred.map(({ podAffinityTerm }) => podAffinityTerm)].some(
      ({ namespaces = [], namespaceSelector }: PodAffinityTerm) =>
        namespaces.length > 0 || namespaceSelector !== undefined,
    );
  });
}
