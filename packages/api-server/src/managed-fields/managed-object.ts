/** What field managers read of objects and put into them: metadata, and what of it is nobody's. */
import type { JsonObject, JsonValue, KubernetesObject } from "@homeostat/object-model";
import { type FieldSet, fieldElement, fieldSetOfPaths } from "@homeostat/schema";
import { type Managed, printEntries } from "./managed-entries.ts";

/** Metadata that belongs to the server or to the object's identity: nobody manages it. */
export const UNMANAGED: FieldSet = fieldSetOfPaths(
  ...[
    "apiVersion",
    "kind",
    "metadata",
    "metadata.name",
    "metadata.namespace",
    "metadata.creationTimestamp",
    "metadata.selfLink",
    "metadata.uid",
    "metadata.clusterName",
    "metadata.generation",
    "metadata.managedFields",
    "metadata.resourceVersion",
  ].map((path) => path.split(".").map(fieldElement)),
);

/** Metadata of the server that clients may leave out: nobody owns it, so it is no loss. */
const SERVERS: readonly string[] = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "managedFields",
];

/** The live object without what the new one has left out of that. */
export function withoutForgotten(live: Readonly<JsonObject>, printed: JsonObject): JsonObject {
  const metadata = live["metadata"] as JsonObject | undefined;
  const given = (printed["metadata"] ?? {}) as JsonObject;
  if (metadata === undefined) return live;
  let kept: JsonObject | undefined;
  for (const name of SERVERS) {
    if (metadata[name] === undefined || given[name] !== undefined) continue;
    kept ??= { ...metadata };
    delete kept[name];
  }
  return kept === undefined ? live : { ...live, metadata: kept };
}

export function withoutEntries(object: Readonly<JsonObject>): JsonObject {
  const metadata = object["metadata"] as JsonObject | undefined;
  if (metadata === undefined || metadata["managedFields"] === undefined) return object;
  const { managedFields: _entries, ...rest } = metadata;
  return { ...object, metadata: rest };
}

export function withEntries(object: JsonObject, managed: Managed): JsonObject {
  const entries = printEntries(managed) as unknown as JsonValue | undefined;
  const metadata = (object["metadata"] ?? {}) as JsonObject;
  const made: JsonObject = { ...metadata };
  if (entries !== undefined) made["managedFields"] = entries;
  return { ...object, metadata: made };
}

export function uidOf(object: Readonly<JsonObject>): string | undefined {
  return (object as KubernetesObject).metadata?.uid || undefined;
}
