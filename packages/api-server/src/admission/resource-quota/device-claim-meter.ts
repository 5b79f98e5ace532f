import { ownKey, Quantity } from "@homeostat/object-model";
import type { Pod } from "@homeostat/object-model/core-v1";
import type { DeviceClass, ResourceClaim } from "@homeostat/object-model/resource-v1";
import type { ObjectReader } from "../../registry/strategy.ts";
import type { KnownObjects } from "../known-objects.ts";
import type { Amounts } from "../resource-amounts.ts";
import { podMeter } from "./pod-meter.ts";
import { countName, ONE, type QuotaMeter } from "./quota-meter.ts";

const CLAIMS = { group: "resource.k8s.io", resource: "resourceclaims" };
const PODS = { group: "", resource: "pods" };
const COUNT = countName(CLAIMS);
/** Behind the name of a class: how many of its devices. */
const OF_CLASS = ".deviceclass.resource.k8s.io/devices";
const IMPLICIT = "requests.deviceclass.resource.kubernetes.io/";
/** Which a scheduler puts on a claim that it makes for what a pod asks for as a resource. */
const FOR_POD = "resource.kubernetes.io/extended-resource-claim";
/** What "all" may come to. */
const MOST_DEVICES = 32;

interface DeviceClaimPlane {
  readonly classes: KnownObjects<DeviceClass>;
  readonly reader: Pick<ObjectReader, "get" | "list">;
}

/** Claims by the devices they ask for, also under the names under which pods ask for such devices. */
export function deviceClaimMeter({ classes, reader }: DeviceClaimPlane): QuotaMeter {
  return {
    handles: ({ operation }, { subresource }) =>
      subresource === "" && (operation === "CREATE" || operation === "UPDATE"),
    counts: (name) =>
      name === COUNT ||
      name.endsWith(OF_CLASS) ||
      (name.startsWith("requests.") && isNameOf(classes, name)),
    isIn: () => false,
    missing: () => undefined,
    usage: (object, now) => {
      const claim = object as ResourceClaim;
      const devices = devicesOf(claim);
      const usage = new Map([[COUNT, ONE]]);
      for (const [name, count] of devices) usage.set(`${name}${OF_CLASS}`, Quantity.of(count));
      const pod = podOf(claim, reader);
      const counted: Amounts = pod === undefined ? new Map() : podMeter.usage(pod, now);
      for (const [className, count] of devices) {
        const extended = classes.get(className)?.spec?.extendedResourceName;
        for (const name of resourceNames(className, extended)) {
          const asked = Quantity.of(count);
          const more = asked.subtract(counted.get(name) ?? Quantity.of(0));
          if (more.sign() === 1) usage.set(name, more);
        }
      }
      return usage;
    },
  };
}

function isNameOf(classes: KnownObjects<DeviceClass>, name: string): boolean {
  return [...classes.list()].some(({ metadata, spec }) =>
    resourceNames(metadata?.name ?? "", spec?.extendedResourceName).includes(name),
  );
}

/** Under which pods ask for devices of a class. */
function resourceNames(className: string, extended: string | undefined): string[] {
  return [`${IMPLICIT}${className}`, ...(extended ? [`requests.${extended}`] : [])];
}

/** Of each class; of alternatives the most. */
function devicesOf({ spec }: ResourceClaim): Map<string, bigint> {
  const total = new Map<string, bigint>();
  for (const { exactly, firstAvailable = [] } of spec?.devices?.requests ?? []) {
    const most = new Map<string, bigint>();
    const asked = firstAvailable.length > 0 ? firstAvailable : exactly ? [exactly] : [];
    for (const { deviceClassName = "", allocationMode, count = 0 } of asked) {
      const isAll = allocationMode === "All";
      const devices = BigInt(isAll ? MOST_DEVICES : allocationMode === "ExactCount" ? count : 0);
      const before = most.get(deviceClassName);
      if (before === undefined || devices > before) most.set(deviceClassName, devices);
    }
    for (const [name, devices] of most) total.set(name, (total.get(name) ?? 0n) + devices);
  }
  return total;
}

/** The pod that has been counted for what a claim gives it; the first of its claims counts. */
function podOf(
  claim: ResourceClaim,
  reader: Pick<ObjectReader, "get" | "list">,
): Readonly<Pod> | undefined {
  const { metadata } = claim;
  const owner = podOwner(claim);
  if (owner === undefined) return undefined;
  const namespace = metadata.namespace ?? "";
  const pod = reader.get(PODS, owner.name, namespace) as Pod | undefined;
  if (pod?.metadata?.uid !== owner.uid) return undefined;
  const status = pod.status?.extendedResourceClaimStatus;
  if (status !== undefined) return status.resourceClaimName === metadata.name ? pod : undefined;
  for (const other of reader.list(CLAIMS, namespace) as Iterable<ResourceClaim>) {
    if (podOwner(other)?.uid !== owner.uid || other.metadata?.name === metadata.name) continue;
    if (orderOf(other) < orderOf(claim)) return undefined;
  }
  return pod;
}

function podOwner({ metadata }: ResourceClaim): { name: string; uid: string } | undefined {
  if (ownKey(metadata?.annotations, FOR_POD) !== "true") return undefined;
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
  return owner?.kind === "Pod" && owner.apiVersion === "v1" ? owner : undefined;
}

function orderOf({ metadata }: ResourceClaim): string {
  return `${metadata?.creationTimestamp ?? ""}/${metadata?.name ?? ""}`;
}
