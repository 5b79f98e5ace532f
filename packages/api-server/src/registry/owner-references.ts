import { equalJson, type KubernetesObject } from "@homeostat/object-model";
import { metadataOf } from "./system-metadata.ts";

/**
 * Leaves out owner references that say exactly what another one says, and tells the client. What is
 * sent whole is looked at before others may change it, everything again afterwards.
 */
export function dropDuplicateOwners(
  object: KubernetesObject,
  warnings: string[],
  { admitted = false }: { readonly admitted?: boolean } = {},
): void {
  const metadata = metadataOf(object);
  const references = metadata.ownerReferences ?? [];
  if (references.length < 2) return;
  const kept: typeof references = [];
  const dropped: string[] = [];
  for (const reference of references) {
    const same = (each: object): boolean => equalJson({ ...each }, { ...reference });
    if (kept.some(same)) {
      dropped.push(reference.uid);
    } else kept.push(reference);
  }
  if (dropped.length === 0) return;
  metadata.ownerReferences = kept;
  const when = admitted ? " after mutating admission happens" : "";
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${dropped.join(", ")}`,
  );
}
