import type { KubernetesObject } from "@homeostat/object-model";
import type { ManagedFieldsEntry } from "@homeostat/object-model/meta-v1";
import { ManagedEntriesError, readEntries } from "../managed-fields/managed-entries.ts";
import { dropDuplicateOwners } from "./owner-references.ts";
import { metadataOf } from "./system-metadata.ts";

interface BeforeMutation {
  readonly managed: ManagedFieldsEntry[] | undefined;
  readonly warnings: string[];
}

/** Puts right what plugins and webhooks may have done to metadata, and tells the client. */
export function mendMutated(object: KubernetesObject, { managed, warnings }: BeforeMutation): void {
  const metadata = metadataOf(object);
  const { managedFields } = metadata;
  if (managedFields !== undefined && managedFields !== managed) {
    try {
      readEntries(managedFields);
    } catch (error) {
      if (!(error instanceof ManagedEntriesError)) throw error;
      if (managed === undefined) delete metadata.managedFields;
      else metadata.managedFields = managed;
      warnings.push(
        `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
      );
    }
  }
  dropDuplicateOwners(object, warnings, { admitted: true });
}
