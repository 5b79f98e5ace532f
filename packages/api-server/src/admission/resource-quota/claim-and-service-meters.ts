import { ownKey, Quantity } from "@homeostat/object-model";
import type { PersistentVolumeClaim, Service } from "@homeostat/object-model/core-v1";
import { claimClass } from "../default-storage-class.ts";
import type { Amounts } from "../resource-amounts.ts";
import { matchesName } from "./pod-meter.ts";
import { ONE, type QuotaMeter } from "./quota-meter.ts";

const CLAIM_COUNT = "count/persistentvolumeclaims";
const CLAIM_NAMES = ["persistentvolumeclaims", "requests.storage"];
/** Between the name of a storage class and what is counted of it. */
const OF_CLASS = ".storageclass.storage.k8s.io/";
const ATTRIBUTES_CLASS = "VolumeAttributesClass";

export const claimMeter: QuotaMeter = {
  handles: ({ operation }, { subresource }) =>
    (operation === "CREATE" && subresource === "") ||
    (operation === "UPDATE" && (subresource === "" || subresource === "status")),
  counts: (name) =>
    name === CLAIM_COUNT ||
    CLAIM_NAMES.some((each) => name === each || name.endsWith(`${OF_CLASS}${each}`)),
  isIn: (scope, object) => {
    if (scope.scopeName !== ATTRIBUTES_CLASS) return false;
    const classes = attributesClasses(object as PersistentVolumeClaim);
    if (classes.length === 0) return matchesName(scope, undefined);
    return classes.some((each) => matchesName(scope, each));
  },
  missing: () => undefined,
  usage: (object) => {
    const claim = object as PersistentVolumeClaim;
    const usage = new Map([
      ["persistentvolumeclaims", ONE],
      [CLAIM_COUNT, ONE],
    ]);
    const storage = storageOf(claim);
    if (storage !== undefined) usage.set("requests.storage", storage);
    const name = claimClass(claim);
    if (!name) return usage;
    usage.set(`${name}${OF_CLASS}persistentvolumeclaims`, ONE);
    if (storage !== undefined) usage.set(`${name}${OF_CLASS}requests.storage`, storage);
    return usage;
  },
};

/** What is wanted, what is there, and what is being changed to. */
function attributesClasses({ spec, status }: PersistentVolumeClaim): string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name) => name !== undefined && name !== "");
  return [...new Set(names as string[])].toSorted();
}

/** In whole bytes: the more of what is asked for and what is being given. */
function storageOf({ spec, status }: PersistentVolumeClaim): Quantity | undefined {
  const asked = ownKey(spec?.resources?.requests, "storage");
  if (asked === undefined) return undefined;
  const given = ownKey(status?.allocatedResources, "storage");
  const wanted = Quantity.fromJson(asked);
  const more = given === undefined ? wanted : Quantity.fromJson(given);
  const storage = more.compare(wanted) > 0 ? more : wanted;
  const whole = Quantity.of(storage.value());
  return whole.equals(storage) ? storage : whole;
}

const SERVICE_NAMES = new Set([
  "count/services",
  "services",
  "services.nodeports",
  "services.loadbalancers",
]);

export const serviceMeter: QuotaMeter = {
  handles: ({ operation }, { subresource }) =>
    subresource === "" && (operation === "CREATE" || operation === "UPDATE"),
  counts: (name) => SERVICE_NAMES.has(name),
  isIn: () => false,
  missing: () => undefined,
  usage: (object): Amounts => {
    const { spec } = object as Service;
    const isBalanced = spec?.type === "LoadBalancer";
    return new Map([
      ["count/services", ONE],
      ["services", ONE],
      ["services.loadbalancers", Quantity.of(isBalanced ? 1 : 0)],
      ["services.nodeports", Quantity.of(nodePorts(spec))],
    ]);
  },
};

/** Those that will be: none is chosen yet. */
function nodePorts(spec: Service["spec"]): number {
  const ports = spec?.ports ?? [];
  if (spec?.type === "NodePort") return ports.length;
  if (spec?.type !== "LoadBalancer") return 0;
  if (spec.allocateLoadBalancerNodePorts !== false) return ports.length;
  return ports.filter(({ nodePort = 0 }) => nodePort !== 0).length;
}
