/** What field managers read of objects and put into them: metadata, and what of it is nobody's. */
import {
  GroupVersionError,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  ownKey,
  parseApiVersion,
} from "@homeostat/object-model";
import type { ManagedFieldsEntry } from "@homeostat/object-model/meta-v1";
import { type FieldSet, fieldElement, fieldSetOfPaths } from "@homeostat/schema";

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
  const isForgotten = (name: string): boolean =>
    SERVERS.includes(name) && metadata[name] !== undefined && given[name] === undefined;
  return SERVERS.some(isForgotten) ? { ...live, metadata: without(metadata, isForgotten) } : live;
}

/** The object itself where there are none to leave out. */
export function withoutMembers(object: Readonly<JsonObject>, names: readonly string[]): JsonObject {
  return names.length === 0 ? object : without(object, (name) => names.includes(name));
}

/** Put together from what stays: an object from which keys were deleted is slow to read. */
function without(object: JsonObject, isLeftOut: (name: string) => boolean): JsonObject {
  const rest: JsonObject = {};
  for (const name of Object.keys(object)) if (!isLeftOut(name)) rest[name] = object[name]!;
  return rest;
}

export function withoutEntries(object: Readonly<JsonObject>): JsonObject {
  const metadata = object["metadata"] as JsonObject | undefined;
  if (metadata === undefined || metadata["managedFields"] === undefined) return object;
  const { managedFields: _entries, ...rest } = metadata;
  return { ...object, metadata: rest };
}

export function withEntries(
  object: JsonObject,
  entries: readonly ManagedFieldsEntry[] | undefined,
): JsonObject {
  const metadata = (object["metadata"] ?? {}) as JsonObject;
  const made: JsonObject = { ...metadata };
  if (entries !== undefined) made["managedFields"] = entries as unknown as JsonValue;
  return { ...object, metadata: made };
}

export function uidOf(object: Readonly<JsonObject>): string | undefined {
  return (object as KubernetesObject).metadata?.uid || undefined;
}

/** Empty for what is no text. */
export function textOf(object: JsonObject | undefined, key: string): string {
  const text = ownKey(object, key);
  return typeof text === "string" ? text : "";
}

/** `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`; nothing at all where the version is none. */
export function printType(apiVersion: string, kind: string): string {
  try {
    const { group, version } = parseApiVersion(apiVersion);
    return `${group}/${version}, Kind=${kind}`;
  } catch (error) {
    if (error instanceof GroupVersionError) return "/, Kind=";
    throw error;
  }
}
