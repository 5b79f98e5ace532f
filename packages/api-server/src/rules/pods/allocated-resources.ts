/** What a node agent tells of the devices that it gave to containers. */
import { FieldError, ownKey } from "@homeostat/object-model";
import type { Container, Pod, ResourceHealth } from "@homeostat/object-model/core-v1";
import type { Place } from "@homeostat/schema";
import { knownChoice } from "../checks/choices.ts";
import { nameOf } from "./container-lists.ts";

const MAX_MESSAGE = 1024;
const CLAIM = "claim:";

const health = knownChoice("Healthy", "Unhealthy", "Unknown");

/** Ephemeral containers have none. `place` is the status's. */
export function checkAllocatedResources(pod: Readonly<Pod>, place: Place): void {
  const lists = [
    ["containerStatuses", pod.spec?.containers],
    ["initContainerStatuses", pod.spec?.initContainers],
  ] as const;
  for (const [list, containers] of lists) {
    // Of containers with one name the first counts.
    const byName = new Map((containers ?? []).toReversed().map((each) => [nameOf(each), each]));
    for (const [index, status] of (pod.status?.[list] ?? []).entries()) {
      const container = byName.get(nameOf(status));
      const at = place.child(list).index(index).child("allocatedResourcesStatus");
      for (const [number, allocated] of (status.allocatedResourcesStatus ?? []).entries()) {
        if (container !== undefined) checkName(allocated.name ?? "", container, at.index(number));
        checkHealth(allocated.resources ?? [], at.index(number).child("resources"));
      }
    }
  }
  for (const [index, status] of (pod.status?.ephemeralContainerStatuses ?? []).entries()) {
    if ((status.allocatedResourcesStatus ?? []).length === 0) continue;
    const at = place.child("ephemeralContainerStatuses").index(index);
    at.child("allocatedResourcesStatus").forbidden("must not be specified in container status");
  }
}

function checkName(name: string, container: Readonly<Container>, place: Place): void {
  const { claims = [], requests } = container.resources ?? {};
  if (!name.startsWith(CLAIM)) {
    if (ownKey(requests, name) !== undefined) return;
    return place.child("name").invalid(name, "must match one of the container's resource requests");
  }
  const known = claims.map((claim) =>
    claim.request ? `${CLAIM}${claim.name}/${claim.request}` : `${CLAIM}${claim.name}`,
  );
  if (known.includes(name)) return;
  const why =
    "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
  place.child("name").invalid(name, why);
}

function checkHealth(resources: readonly Partial<ResourceHealth>[], place: Place): void {
  const seen = new Set<string>();
  for (const [index, resource] of resources.entries()) {
    const at = place.index(index);
    const { resourceID = "", message } = resource;
    const said = at.child("message");
    health(resource.health, at.child("health"));
    if (message === "") said.required("must be non-empty if specified");
    else if (Buffer.byteLength(message ?? "") > MAX_MESSAGE && said.path !== undefined) {
      said.add(FieldError.tooLong(said.path, MAX_MESSAGE));
    }
    if (seen.has(resourceID)) at.child("resourceID").duplicate(resourceID);
    seen.add(resourceID);
  }
}
