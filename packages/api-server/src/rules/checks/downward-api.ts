/** What a container may be told about its pod: fields of the pod, and its own resources. */
import { checkLabelKey, Quantity } from "@homeostat/object-model";
import type { ObjectFieldSelector, ResourceFieldSelector } from "@homeostat/object-model/core-v1";
import type { Place, Rule } from "@homeostat/schema";

/** What the API server can turn into a field of the pod; each place allows some of them. */
const POD_FIELDS: ReadonlySet<string> = new Set([
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.serviceAccountName",
  "spec.schedulerName",
  "status.phase",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);

const RESOURCES: readonly string[] = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

const HUGE_PAGES = ["limits.hugepages-", "requests.hugepages-"] as const;

const CPU_DIVISORS: ReadonlySet<string> = new Set(["1", "1m"]);
const BYTE_DIVISORS = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";
const byteDivisors: ReadonlySet<string> = new Set(BYTE_DIVISORS.split(", "));

/** A field of the pod, one of `allowed`. */
export function podFieldSelector(allowed: readonly string[]): Rule<ObjectFieldSelector> {
  const listed = allowed.toSorted();
  return ({ apiVersion = "", fieldPath = "" } = { fieldPath: "" }, place) => {
    if (apiVersion === "") return place.child("apiVersion").required();
    const at = place.child("fieldPath");
    if (fieldPath === "") return at.required();
    const problem = cannotConvert(apiVersion, fieldPath);
    if (problem !== undefined) {
      return at.invalid(fieldPath, `error converting fieldPath: ${problem}`);
    }
    const subscripted = splitSubscript(fieldPath);
    if (subscripted !== undefined) {
      const [path, key] = subscripted;
      const label = path === "metadata.annotations" ? key.toLowerCase() : key;
      for (const wrong of checkLabelKey(label)) place.invalid(label, wrong);
      return;
    }
    // The old name of a field is accepted, and read as the new one.
    const field = fieldPath === "spec.host" ? "spec.nodeName" : fieldPath;
    if (!allowed.includes(field)) at.notSupported(field, listed);
  };
}

function cannotConvert(apiVersion: string, fieldPath: string): string | undefined {
  if (apiVersion !== "v1") return `unsupported pod version: ${apiVersion}`;
  const path = splitSubscript(fieldPath)?.[0];
  if (path === undefined) {
    const known = POD_FIELDS.has(fieldPath) || fieldPath === "spec.host";
    return known ? undefined : `field label not supported: ${fieldPath}`;
  }
  return path === "metadata.annotations" || path === "metadata.labels"
    ? undefined
    : `field label does not support subscript: ${fieldPath}`;
}

/** `metadata.labels['app']` is the path `metadata.labels` and the key `app`. */
function splitSubscript(fieldPath: string): readonly [string, string] | undefined {
  const open = fieldPath.indexOf("['");
  if (open < 1 || !fieldPath.endsWith("']") || fieldPath.length < open + 4) return undefined;
  return [fieldPath.slice(0, open), fieldPath.slice(open + 2, -2)];
}

/** An amount of a container. A volume has to say of which container, an environment knows. */
export function resourceFieldSelector({
  inVolume,
}: {
  readonly inVolume: boolean;
}): Rule<ResourceFieldSelector> {
  return (selector, place) => {
    const { containerName = "", resource = "", divisor = "0" } = selector ?? {};
    if (inVolume && containerName === "") place.child("containerName").required();
    else if (resource === "") place.child("resource").required();
    else if (!RESOURCES.includes(resource) && !isHugePages(resource)) {
      place.child("resource").notSupported(resource, RESOURCES);
    }
    checkDivisor({ resource, divisor: Quantity.fromJson(divisor) }, place.child("divisor"));
  };
}

function isHugePages(resource: string): boolean {
  return HUGE_PAGES.some((prefix) => resource.startsWith(prefix));
}

function checkDivisor(
  { resource, divisor }: { readonly resource: string; readonly divisor: Quantity },
  place: Place,
): void {
  if (divisor.isZero()) return;
  const text = divisor.toString();
  const amount = resource.replace(/^(limits|requests)\./, "");
  if (amount === "cpu" && amount !== resource) {
    if (CPU_DIVISORS.has(text)) return;
    place.invalid(resource, "only divisor's values 1m and 1 are supported with the cpu resource");
    return;
  }
  const name = RESOURCES.includes(resource) ? BYTE_RESOURCES[amount] : undefined;
  const shown = name ?? (isHugePages(resource) ? "hugepages" : undefined);
  if (shown === undefined || byteDivisors.has(text)) return;
  const why = `only divisor's values ${BYTE_DIVISORS} are supported with the ${shown} resource`;
  place.invalid(resource, why);
}

const BYTE_RESOURCES: Readonly<Record<string, string>> = {
  memory: "memory",
  "ephemeral-storage": "local ephemeral storage",
};
