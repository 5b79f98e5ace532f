/**
 * What a node agent may report of a pod, and what it may not take back. Names of containers and
 * claims have to be those of the spec; what was there before stays allowed.
 */
import { FieldError } from "@homeostat/object-model";
import type {
  ContainerStatus,
  Pod,
  PodCondition,
  PodResourceClaimStatus,
  PodStatus,
} from "@homeostat/object-model/core-v1";
import {
  dns1123Subdomain,
  each,
  fields,
  immutable,
  type Place,
  qualifiedName,
} from "@homeostat/schema";
import { familyOfIp, legacyIp } from "../checks/ip-addresses.ts";
import { groupId, userId } from "../checks/posix-ids.ts";
import { checkAllocatedResources } from "./allocated-resources.ts";
import { nameOf } from "./container-lists.ts";
import { checkRestarts } from "./container-state-changes.ts";
import { checkExtendedClaim } from "./extended-claim-status.ts";

const SYSTEM_CONDITIONS: ReadonlySet<string> = new Set(["PodScheduled", "Ready", "Initialized"]);
const STATUS_LISTS = [
  "containerStatuses",
  "initContainerStatuses",
  "ephemeralContainerStatuses",
] as const;

/** `place` is the pod's. */
export function checkPodStatus(pod: Readonly<Pod>, old: Readonly<Pod>, place: Place): void {
  const status = pod.status ?? {};
  const before = old.status ?? {};
  const at = place.child("status");
  checkConditions(status.conditions ?? [], at.child("conditions"));
  checkNominatedNode(pod, old, at.child("nominatedNodeName"));
  if ((status.observedGeneration ?? 0) < 0) {
    at.child("observedGeneration").invalid(
      status.observedGeneration,
      "must be a non-negative integer",
    );
  }
  const quality = { value: status.qosClass ?? "", old: before.qosClass ?? "" };
  immutable(quality, at.child("qosClass"));
  checkRestarts(pod, old, at);
  checkClaimStatuses(pod, at.child("resourceClaimStatuses"));
  checkExtendedClaim(pod, at.child("extendedResourceClaimStatus"));
  checkAddresses(status.podIPs, before.podIPs, at.child("podIPs"));
  checkHostAddresses(status, before, at.child("hostIPs"));
  for (const list of STATUS_LISTS) checkUsers(status[list] ?? [], pod, at.child(list));
  checkAllocatedResources(pod, at);
}

function checkConditions(conditions: readonly PodCondition[], place: Place): void {
  for (const [index, { type = "", observedGeneration = 0 }] of conditions.entries()) {
    const at = place.index(index);
    if (observedGeneration < 0) {
      at.child("observedGeneration").invalid(observedGeneration, "must be a non-negative integer");
    }
    if (!SYSTEM_CONDITIONS.has(type)) qualifiedName(type, at.child("Type"));
  }
}

function checkNominatedNode(pod: Readonly<Pod>, old: Readonly<Pod>, place: Place): void {
  const name = pod.status?.nominatedNodeName ?? "";
  if (name === "" || name === (old.status?.nominatedNodeName ?? "")) return;
  dns1123Subdomain(name, place);
  if (old.spec?.nodeName)
    place.forbidden("may not be set on pods that are already bound to a node");
}

function checkClaimStatuses(pod: Readonly<Pod>, place: Place): void {
  const claims = new Set((pod.spec?.resourceClaims ?? []).map(nameOf));
  const seen = new Set<string>();
  const statuses: readonly PodResourceClaimStatus[] = pod.status?.resourceClaimStatuses ?? [];
  for (const [index, { name = "", resourceClaimName }] of statuses.entries()) {
    const at = place.index(index);
    if (!claims.has(name)) {
      const why = "must match the name of an entry in `spec.resourceClaims`";
      at.child("name").invalid(name, why);
    }
    if (seen.has(name)) at.child("name").duplicate(name);
    seen.add(name);
    if (resourceClaimName !== undefined) {
      dns1123Subdomain(resourceClaimName, at.child("resourceClaimName"));
    }
  }
}

interface Address {
  readonly ip?: string;
}

/** One of each family at most. Addresses that were there before are not looked at again. */
function checkAddresses(
  list: readonly Address[] = [],
  old: readonly Address[] = [],
  place: Place,
): void {
  const known = new Set(old.map(({ ip = "" }) => ip));
  const addresses = list.map(({ ip = "" }) => ip);
  for (const [index, ip] of addresses.entries()) {
    if (!known.has(ip)) legacyIp(ip, place.index(index));
  }
  if (addresses.length > 1) checkFamilies(addresses, list, place);
}

function checkFamilies(addresses: readonly string[], list: readonly Address[], place: Place): void {
  const families = addresses.map(familyOfIp);
  const broken = families.indexOf(undefined);
  if (broken !== -1 && place.path !== undefined) {
    const why = `invalid IP[${broken}]: ${addresses[broken]}`;
    const cause = new Error(`failed to check for dual stack with error:${why}`);
    place.add(FieldError.internal(place.path, cause));
  }
  const isDual = broken === -1 && families.includes(4) && families.includes(6);
  if (isDual && addresses.length === 2) return;
  const shown = list.map(({ ip = "" }) => ({ IP: ip }));
  place.invalid(shown, "may specify no more than one IP for each IP family");
}

function checkHostAddresses(
  status: Readonly<PodStatus>,
  old: Readonly<PodStatus>,
  place: Place,
): void {
  const [first] = status.hostIPs ?? [];
  if (first === undefined) return;
  if ((status.hostIP ?? "") !== (first.ip ?? "")) {
    place
      .index(0)
      .child("ip")
      .invalid(first.ip ?? "", "must be equal to `hostIP`");
  }
  checkAddresses(status.hostIPs, old.hostIPs, place);
}

const linuxUser = fields<{ uid: number; gid: number; supplementalGroups?: number[] }>({
  uid: userId,
  gid: groupId,
  supplementalGroups: each(groupId),
});

function checkUsers(statuses: readonly ContainerStatus[], pod: Readonly<Pod>, place: Place): void {
  const system = pod.spec?.os?.name ?? "linux";
  for (const [index, { user }] of statuses.entries()) {
    if (!user?.linux) continue;
    const at = place.index(index).child("user").child("linux");
    if (system === "windows") at.forbidden("cannot be set for a windows pod");
    else if (system === "linux") linuxUser(user.linux, at);
  }
}
