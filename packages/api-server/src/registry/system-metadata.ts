import type { Random } from "@homeostat/concurrency";
import type { KubernetesObject, ObjectMeta } from "@homeostat/object-model";
import {
  equalJson,
  FieldPath,
  type JsonObject,
  ownKey,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import { checkManagedFields } from "../resources/managed-fields-check.ts";
import { countOf } from "./int64.ts";

const MANAGED_FIELDS = FieldPath.of("metadata", "managedFields");

/** The metadata that the server owns, on a new object. Whatever the client said is overwritten. */
export function stampNew(
  object: KubernetesObject,
  { now, random }: { readonly now: number; readonly random: Random },
): void {
  const metadata = metadataOf(object);
  metadata.creationTimestamp = timeOfMilliseconds(now);
  metadata.uid = random.uuid();
  delete metadata.selfLink;
  if (isBroken(metadata.managedFields)) delete metadata.managedFields;
}

/** What an update cannot change is taken from the old object. */
export function keepOld(object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  const metadata = metadataOf(object);
  const before = old.metadata ?? {};
  if (!metadata.uid) setOrDelete(metadata, "uid", before.uid);
  setOrDelete(metadata, "generation", before.generation);
  if (isBroken(metadata.managedFields))
    setOrDelete(metadata, "managedFields", before.managedFields);
  if (before.creationTimestamp) metadata.creationTimestamp = before.creationTimestamp;
  if (before.deletionTimestamp) metadata.deletionTimestamp = before.deletionTimestamp;
  if (
    before.deletionGracePeriodSeconds !== undefined &&
    metadata.deletionGracePeriodSeconds === undefined
  ) {
    metadata.deletionGracePeriodSeconds = before.deletionGracePeriodSeconds;
  }
}

/** Whoever says nonsense of who manages what is not refused but passed over. */
function isBroken(managedFields: ObjectMeta["managedFields"]): boolean {
  return (
    managedFields !== undefined && checkManagedFields(managedFields, MANAGED_FIELDS).length > 0
  );
}

function setOrDelete<Key extends keyof ObjectMeta>(
  metadata: ObjectMeta,
  key: Key,
  value: ObjectMeta[Key] | undefined,
): void {
  if (value === undefined) delete metadata[key];
  else metadata[key] = value;
}

/** One more when something else than metadata and status changed, as it prints. */
export function countGeneration(
  object: KubernetesObject,
  old: Readonly<KubernetesObject>,
  print: (object: JsonObject) => JsonObject,
): void {
  const content = contentOf(object as unknown as JsonObject);
  const before = contentOf(old as unknown as JsonObject);
  // What was taken from the old object need not be printed to be the same.
  if (sharesAll(content, before)) return;
  if (equalJson(contentOf(print(object as unknown as JsonObject)), before)) return;
  metadataOf(object).generation = countOf(old.metadata?.generation) + 1;
}

function contentOf(object: JsonObject): JsonObject {
  const { metadata: _metadata, status: _status, ...content } = object;
  return content;
}

function sharesAll(one: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => one[name] === ownKey(other, name));
}

export function metadataOf(object: KubernetesObject): ObjectMeta {
  object.metadata ??= {};
  return object.metadata;
}

const NAME_CHARACTERS = "bcdfghjklmnpqrstvwxz2456789";
const RANDOM_LENGTH = 5;
const MAX_BASE_LENGTH = 63 - RANDOM_LENGTH;

/** A name from a generateName: the base, cut, and five characters that spell no words. */
export function generateName(base: string, random: Random): string {
  let name = base.slice(0, MAX_BASE_LENGTH);
  for (let at = 0; at < RANDOM_LENGTH; at++) {
    name += NAME_CHARACTERS[random.below(NAME_CHARACTERS.length)];
  }
  return name;
}
