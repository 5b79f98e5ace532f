/**
 * Names of resources (`cpu`, `requests.storage`, `example.com/gpu`) and which of them may stand
 * where: in containers, in quotas, in limits.
 */
import { checkLabelKey, Quantity, QuantityError } from "@homeostat/object-model";
import type { Rule } from "@homeostat/schema";

const HUGE_PAGES = "hugepages-";
const REQUESTS = "requests.";
const DEFAULT_NAMESPACE = "kubernetes.io/";

const CONTAINER_RESOURCES: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

/** Counted in whole objects. */
const COUNTED_RESOURCES: ReadonlySet<string> = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

const QUOTA_RESOURCES: ReadonlySet<string> = new Set([
  ...CONTAINER_RESOURCES,
  ...COUNTED_RESOURCES,
  "requests.cpu",
  "requests.memory",
  "requests.storage",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
]);

const STANDARD_RESOURCES: ReadonlySet<string> = new Set([...QUOTA_RESOURCES, "storage"]);

export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

/** Whether an amount of such pages is a whole number of them. */
export function isWholePages(name: string, amount: Quantity): boolean {
  const size = pageSize(name);
  return size !== undefined && size > 0n && amount.value() % size === 0n;
}

/** In bytes; undefined where the name does not tell. */
function pageSize(name: string): bigint | undefined {
  try {
    const size = Quantity.parse(name.slice(HUGE_PAGES.length));
    return size.milliValue() % 1000n === 0n ? size.value() : undefined;
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

/** Known to Kubernetes, somewhere. */
function isStandardResource(name: string): boolean {
  return STANDARD_RESOURCES.has(name) || isQuotaHugePage(name);
}

function isStandardContainerResource(name: string): boolean {
  return CONTAINER_RESOURCES.has(name) || isHugePages(name);
}

export function isStandardQuotaResource(name: string): boolean {
  return QUOTA_RESOURCES.has(name) || isQuotaHugePage(name);
}

function isQuotaHugePage(name: string): boolean {
  return isHugePages(name) || name.startsWith(REQUESTS + HUGE_PAGES);
}

/** In Kubernetes' own namespace, which names without one are in too. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes(DEFAULT_NAMESPACE);
}

/** Whether requests may be less than limits. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** A device or the like, and its name still fits after `requests.`. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith(REQUESTS)) return false;
  return checkLabelKey(REQUESTS + name).length === 0;
}

/** Measured in whole numbers. */
export function isIntegerResource(name: string): boolean {
  return COUNTED_RESOURCES.has(name) || isExtendedResource(name);
}

/** Of any kind. */
export const resourceName: Rule<string> = (name = "", place) => {
  const problems = checkLabelKey(name);
  for (const problem of problems) place.invalid(name, problem);
  if (problems.length === 0 && !name.includes("/") && !isStandardResource(name)) {
    place.invalid(name, "must be a standard resource type or fully qualified");
  }
};

/** Of a container's requests and limits. */
export const containerResourceName: Rule<string> = (name = "", place) => {
  resourceName(name, place);
  if (!name.includes("/")) {
    if (!isStandardContainerResource(name)) {
      place.invalid(name, "must be a standard resource for containers");
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    place.invalid(name, "doesn't follow extended resource name standard");
  }
};

/** Of a quota. */
export const quotaResourceName: Rule<string> = (name = "", place) => {
  resourceName(name, place);
  if (!name.includes("/") && !isStandardQuotaResource(name)) {
    place.invalid(name, "must be a standard resource for quota");
  }
};
