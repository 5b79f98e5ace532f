import { equalJson, type JsonObject, type KubernetesObject } from "@homeostat/object-model";
import type { ManagedFieldsEntry } from "@homeostat/object-model/meta-v1";
import { metadataOf } from "../registry/system-metadata.ts";

/**
 * Takes the times of the old entries where nothing else changed: a write that changes nothing must
 * stay none. In place; `print` gives an object as it is kept.
 */
export function keepTimes(
  object: KubernetesObject,
  old: Readonly<KubernetesObject>,
  print: (object: JsonObject) => JsonObject,
): void {
  const entries = entriesOf(object);
  const before = entriesOf(old);
  if (entries.length !== before.length || entries.length === 0) return;
  if (entries.every((entry, at) => entry.time === before[at]!.time)) return;
  // The cheapest sign of a change.
  if (object.metadata?.generation !== old.metadata?.generation) return;
  const isSame = entries.every((entry, at) => equalJson(timeless(entry), timeless(before[at]!)));
  if (!isSame) return;
  const printed = print(object as unknown as JsonObject);
  if (!equalJson(withoutEntries(printed), withoutEntries(old as unknown as JsonObject))) return;
  metadataOf(object).managedFields = [...before];
}

function entriesOf({ metadata }: Readonly<KubernetesObject>): readonly ManagedFieldsEntry[] {
  return metadata?.managedFields ?? [];
}

function timeless(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  const { time: _time, ...rest } = entry;
  return rest;
}

/** The version is the store's, and no part of what was written. */
function withoutEntries(object: JsonObject): JsonObject {
  const metadata = object["metadata"] as JsonObject;
  const { managedFields: _entries, resourceVersion: _version, ...rest } = metadata;
  return { ...object, metadata: rest };
}
