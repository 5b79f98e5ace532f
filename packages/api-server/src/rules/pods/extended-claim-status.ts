/** The claim that stands for the extended resources of a pod. */
import { ownKey } from "@homeostat/object-model";
import type {
  Container,
  ContainerExtendedResourceRequest,
  Pod,
} from "@homeostat/object-model/core-v1";
import { dns1123Label, dns1123Subdomain, type Place } from "@homeostat/schema";
import { requiredThen } from "../checks/required-then.ts";
import { nameOf } from "./container-lists.ts";

type Request = Partial<ContainerExtendedResourceRequest>;

const claimName = requiredThen(dns1123Subdomain);

export function checkExtendedClaim(pod: Readonly<Pod>, place: Place): void {
  const status = pod.status?.extendedResourceClaimStatus;
  if (status === undefined) return;
  const mappings: readonly Request[] = status.requestMappings ?? [];
  const list = place.child("requestMappings");
  if (mappings.length === 0) list.required("at least one request mapping is required");
  // Of containers with one name the last counts, ordinary ones after init containers.
  const containers = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])];
  const byName = new Map(containers.map((container) => [nameOf(container), container]));
  const seen = new Set<string>();
  for (const [index, mapping] of mappings.entries()) {
    const at = list.index(index);
    const { containerName = "", resourceName = "", requestName = "" } = mapping;
    checkMapping(mapping, byName.get(containerName), at);
    dns1123Label(requestName, place.child("requestName"));
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(key)) {
      at.child("containerName").duplicate(containerName);
      at.child("resourceName").duplicate(resourceName);
      at.child("requestName").duplicate(requestName);
    }
    seen.add(key);
  }
  claimName(status.resourceClaimName, place.child("resourceClaimName"));
}

function checkMapping(
  { containerName = "", resourceName = "" }: Request,
  container: Readonly<Container> | undefined,
  place: Place,
): void {
  if (container === undefined) {
    const why =
      "must match the name of an entry in spec.initContainers.name or spec.containers.name";
    place.child("containerName").invalid(containerName, why);
  } else if (ownKey(container.resources?.requests, resourceName) === undefined) {
    const why =
      "must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests";
    place.child("resourceName").invalid(resourceName, why);
  }
}
