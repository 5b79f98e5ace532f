/**
 * Updates through a status subresource. All of them leave the spec as it was; they differ in how
 * much of the metadata they let through, and kube-apiserver differs from kind to kind.
 */

import type { KubernetesObject, ObjectMeta } from "@homeostat/object-model";
import type { SubresourceStrategy } from "../registry/strategy.ts";

interface SpecObject extends KubernetesObject {
  spec?: unknown;
}

type Restorable = "annotations" | "finalizers" | "generation" | "labels" | "ownerReferences";

/** Labels, annotations, finalizers and owners pass with the status. */
export const statusOnly: SubresourceStrategy = { prepareForUpdate: keepSpec };

/** Of the metadata nothing that clients may set passes. */
export const statusWithoutMetadata: SubresourceStrategy = {
  prepareForUpdate(object, old) {
    keepSpec(object, old);
    keepMetadata(object, old);
  },
};

/** The spec becomes the old one, also where there was none. */
export function keepSpec(object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  const kept = (old as SpecObject).spec;
  if (kept === undefined) delete (object as SpecObject).spec;
  else (object as SpecObject).spec = kept;
}

/** What clients may set of the metadata becomes the old one, or only the members named. */
export function keepMetadata(
  object: KubernetesObject,
  old: Readonly<KubernetesObject>,
  members: readonly Restorable[] = [
    "generation",
    "labels",
    "annotations",
    "finalizers",
    "ownerReferences",
  ],
): void {
  object.metadata ??= {};
  const metadata: ObjectMeta = object.metadata;
  for (const member of members) {
    delete metadata[member];
    const kept = old.metadata?.[member];
    if (kept !== undefined) Object.assign(metadata, { [member]: kept });
  }
}
