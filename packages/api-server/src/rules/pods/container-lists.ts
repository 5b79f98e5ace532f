/** The three lists of containers in a pod spec, in the order in which they are visited together. */
import type { Container, PodSpec } from "@homeostat/object-model/core-v1";
import type { Place } from "@homeostat/schema";

const CONTAINER_LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;

/** Every container: an ephemeral one has all fields of a container. */
export function containersOf(spec: Readonly<PodSpec> | undefined): readonly Readonly<Container>[] {
  return CONTAINER_LISTS.flatMap((list) => (spec?.[list] ?? []) as readonly Container[]);
}

/** Calls back with every container and its place, maybe later; `place` is the spec's. */
export function visitContainers<C>(
  spec: Readonly<PodSpec>,
  place: Place<C>,
  visit: (container: Readonly<Container>, place: Place<C>) => void,
): void {
  for (const list of CONTAINER_LISTS) {
    place.child(list).visitItems<Container>(spec[list] ?? [], visit);
  }
}

/** Of whatever has one; "" for what has not. */
export function nameOf({ name = "" }: { readonly name?: string }): string {
  return name;
}

/** Keeps running beside the ordinary containers. */
export function isSidecar(container: Readonly<Container>): boolean {
  return container.restartPolicy === "Always";
}
