import { equalJson, type JsonObject, type KubernetesObject, ownKey } from "@homeostat/object-model";
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
  if (!entries.every((entry, at) => isSameBut(TIME, entry, before[at]!))) return;
  const printed = print(object as unknown as JsonObject);
  if (!isSameBut(METADATA, printed, old)) return;
  if (!isSameBut(SERVERS, printed["metadata"] as JsonObject, old.metadata ?? {})) return;
  metadataOf(object).managedFields = [...before];
}

function entriesOf({ metadata }: Readonly<KubernetesObject>): readonly ManagedFieldsEntry[] {
  return metadata?.managedFields ?? [];
}

const TIME: readonly string[] = ["time"];
const METADATA: readonly string[] = ["metadata"];
/** The version is the store's, and no part of what was written. */
const SERVERS: readonly string[] = ["managedFields", "resourceVersion"];

/** Whether all other members are the same. */
function isSameBut(others: readonly string[], left: object, right: object): boolean {
  const members = left as Readonly<Record<string, unknown>>;
  const before = right as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(before)) {
    if (others.includes(name) || before[name] === undefined) continue;
    if (ownKey(members, name) === undefined) return false;
  }
  for (const name of Object.keys(members)) {
    if (!others.includes(name) && !equalJson(members[name], ownKey(before, name))) return false;
  }
  return true;
}
