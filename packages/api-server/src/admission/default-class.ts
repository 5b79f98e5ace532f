import type { KubernetesObject } from "@homeostat/object-model";
import { compareBytewise, ownKey } from "@homeostat/object-model";

/** Of those marked by one of the annotations, the newest; by name where several are. */
export function defaultClass<T extends KubernetesObject>(
  classes: Iterable<T>,
  annotations: readonly string[],
): T | undefined {
  const marked = [...classes].filter(({ metadata }) =>
    annotations.some((each) => ownKey(metadata?.annotations, each) === "true"),
  );
  return marked.toSorted((a, b) => compareBytewise(age(b), age(a)) || byName(a, b))[0];
}

function age({ metadata }: KubernetesObject): string {
  return metadata?.creationTimestamp ?? "";
}

function byName(a: KubernetesObject, b: KubernetesObject): number {
  return compareBytewise(a.metadata?.name ?? "", b.metadata?.name ?? "");
}
