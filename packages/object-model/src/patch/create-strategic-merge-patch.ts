/**
 * The strategic merge patch that turns one object into another: what `kubectl` and controllers send
 * to change only what they changed. Deleted keys become null, deleted items of merged lists become
 * directives, and every list that is touched carries its full order.
 *
 * As with every merge patch, a null in the modified object is lost. Items of merged lists must have
 * their merge key; a list in which one repeats (a port open for TCP and UDP) is replaced whole.
 */
import { equalJson } from "../json/equal-json.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { ownKey, setOwnKey } from "../json/own-key.ts";
import { goText } from "./go-text.ts";
import { isObject, jsonKind } from "./json-kind.ts";
import { PatchError } from "./patch-error.ts";
import { PatchBudget } from "./patch-limits.ts";
import type { PatchSchema } from "./patch-schema.ts";
import {
  elementOrderKey,
  PATCH,
  primitiveDeletionKey,
  RETAIN_KEYS,
} from "./strategic-directives.ts";
import { mergeKeyMissing, wrongType } from "./strategic-errors.ts";
import { listFieldOf, objectFieldOf, type StrategicField } from "./strategic-fields.ts";
import { elementKind } from "./strategic-list-merge.ts";
import type { StrategicMergeOptions } from "./strategic-merge-patch.ts";

/** The patch that makes `modified` of `original`; empty where they are equal. */
export function createStrategicMergePatch(
  original: JsonObject,
  modified: JsonObject,
  { schema, limits = {} }: StrategicMergeOptions,
): JsonObject {
  new PatchBudget(limits).checkDepth(modified, "patch");
  return objectDifference(original, modified, { schema, retainKeys: false });
}

interface ObjectType {
  readonly schema: PatchSchema;
  /** Whether a patch of this object says which keys to keep. */
  readonly retainKeys: boolean;
}

function objectDifference(
  original: JsonObject,
  modified: JsonObject,
  { schema, retainKeys }: ObjectType,
): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(modified)) {
    const before = ownKey(original, key);
    const after = modified[key] ?? null;
    if (before === undefined || jsonKind(before) !== jsonKind(after)) {
      setOwnKey(patch, key, after);
    } else {
      memberDifference(patch, { key, before, after, schema });
    }
  }
  for (const key of Object.keys(original)) {
    if (!Object.hasOwn(modified, key)) setOwnKey(patch, key, null);
  }
  if (retainKeys && Object.keys(patch).length > 0) {
    const retained = Object.keys(modified).filter((key) => modified[key] !== null);
    if (retained.length > 0) patch[RETAIN_KEYS] = retained.sort();
  }
  return patch;
}

interface MemberChange {
  readonly key: string;
  /** Two values of the same kind. */
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly schema: PatchSchema;
}

function memberDifference(patch: JsonObject, change: MemberChange): void {
  const { key, before, after, schema } = change;
  if (isObject(before) && isObject(after)) {
    const field = declaredOr(change, () => objectFieldOf(schema, key));
    if (field === undefined) return;
    if (field.strategy !== "replace") {
      const difference = objectDifference(before, after, field);
      if (Object.keys(difference).length > 0) setOwnKey(patch, key, difference);
      return;
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    const field = declaredOr(change, () => listFieldOf(schema, key));
    if (field?.strategy === "merge") listDifference(patch, { key, before, after, field });
    if (field === undefined || field.strategy === "merge") return;
  }
  if (!equalJson(before, after)) setOwnKey(patch, key, after);
}

/** The declaration of a field. Where there is none, that matters only to values that differ. */
function declaredOr(
  { before, after }: MemberChange,
  declaration: () => StrategicField,
): StrategicField | undefined {
  try {
    return declaration();
  } catch (error) {
    if (error instanceof PatchError && equalJson(before, after)) return undefined;
    throw error;
  }
}

interface ListChange {
  readonly key: string;
  readonly before: JsonValue[];
  readonly after: JsonValue[];
  readonly field: StrategicField;
}

/** Writes up to three members: what is added or changed, what is deleted, and the order. */
function listDifference(patch: JsonObject, change: ListChange): void {
  const { key, before, after } = change;
  if (before.length === 0) {
    if (after.length > 0) setOwnKey(patch, key, after);
  } else if (elementKind([before, after]) === "object") {
    objectListDifference(patch, change);
  } else {
    const known = new Set(before);
    const kept = new Set(after);
    const added = after.filter((item) => !known.has(item));
    const deleted = [...known].filter((item) => !kept.has(item));
    if (added.length > 0) setOwnKey(patch, key, added);
    if (deleted.length > 0) patch[primitiveDeletionKey(key)] = deleted.sort(byText);
    if (after.length > 0 && !equalJson(before, after)) patch[elementOrderKey(key)] = after;
  }
}

function objectListDifference(patch: JsonObject, { key, before, after, field }: ListChange): void {
  const { mergeKey } = field;
  const originals = byName(before, mergeKey);
  const modified = byName(after, mergeKey);
  if (originals.size < before.length || modified.size < after.length) {
    if (!equalJson(before, after)) setOwnKey(patch, key, [...after, { [PATCH]: "replace" }]);
    return;
  }
  const items: JsonObject[] = [];
  for (const [name, item] of modified) {
    const original = originals.get(name);
    if (original === undefined) {
      items.push(item);
      continue;
    }
    const difference = objectDifference(original, item, field);
    if (Object.keys(difference).length === 0) continue;
    setOwnKey(difference, mergeKey, name);
    items.push(difference);
  }
  const deleted = [...originals.keys()].filter((name) => !modified.has(name));
  for (const name of deleted.sort(byText)) {
    items.push({ ...named(name, mergeKey), [PATCH]: "delete" });
  }
  if (items.length > 0) setOwnKey(patch, key, items);
  const order = [...modified.keys()];
  if (items.length === 0 && equalJson(order, [...originals.keys()])) return;
  if (order.length > 0) {
    patch[elementOrderKey(key)] = order.map((name) => named(name, mergeKey));
  }
}

/** The items of a list by merge key, in the list's order. */
function byName(list: JsonValue[], mergeKey: string): Map<JsonValue, JsonObject> {
  const items = new Map<JsonValue, JsonObject>();
  for (const item of list) {
    if (!isObject(item)) throw wrongType({}, item);
    const name = ownKey(item, mergeKey);
    if (name === undefined) throw mergeKeyMissing(item, mergeKey);
    items.set(name, item);
  }
  return items;
}

function named(name: JsonValue, mergeKey: string): JsonObject {
  const item: JsonObject = {};
  setOwnKey(item, mergeKey, name);
  return item;
}

/** kubectl's order of deletions: by what Go prints. */
function byText(left: JsonValue, right: JsonValue): number {
  const a = goText(left);
  const b = goText(right);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
