import type { JsonObject, KubernetesObject } from "@homeostat/object-model";
import { convert } from "../conversion/convert.ts";
import type { FieldManager, Writer } from "../managed-fields/field-manager.ts";
import { managerName } from "../managed-fields/manager-name.ts";
import { fieldManagerOf } from "../managed-fields/served-field-manager.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { metadataOf } from "../registry/system-metadata.ts";
import type { ResourceRequest } from "./resource-request.ts";

/** Sets who manages which fields of a draft, which is in the version that is kept. */
export function manageFields(
  request: ResourceRequest,
  { draft, old }: { readonly draft: KubernetesObject; readonly old?: Readonly<KubernetesObject> },
  fieldManager: string,
): void {
  const { served } = request;
  const manager = managerFor(request);
  const live = old === undefined ? manager.empty() : currentIn(served, old);
  const writer = writerOf(request, fieldManager);
  if (served.isStorageVersion) {
    manager.update(live, draft, writer);
    return;
  }
  const versioned = convert(structuredClone(draft), served.apiVersion);
  manager.update(live, versioned, writer);
  const { managedFields } = metadataOf(versioned);
  if (managedFields === undefined) delete metadataOf(draft).managedFields;
  else metadataOf(draft).managedFields = managedFields;
}

export function managerFor({ served, subresource, plane }: ResourceRequest): FieldManager {
  return fieldManagerOf(served, subresource, plane.table);
}

export function writerOf({ userAgent, plane }: ResourceRequest, fieldManager: string): Writer {
  return { manager: managerName(fieldManager, userAgent), now: plane.clock.now() };
}

/** The stored object as the served version prints it: what a patch is written against. */
export function currentIn(served: ServedResource, old: Readonly<KubernetesObject>): JsonObject {
  if (served.isStorageVersion) return old as unknown as JsonObject;
  const converted = convert(structuredClone(old), served.apiVersion);
  return served.codec.print(converted as unknown as JsonObject);
}
