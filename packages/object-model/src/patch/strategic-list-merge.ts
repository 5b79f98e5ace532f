/**
 * Merging two lists that are declared mergeable: scalars become a set, objects are matched by merge
 * key. List items may be commands: `{$patch: delete, <key>: x}` deletes what matches,
 * `{$patch: replace}` makes the rest of the patch the whole list.
 */
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { ownKey } from "../json/own-key.ts";
import { goType } from "./go-text.ts";
import type { PatchBudget } from "./patch-limits.ts";
import { PATCH } from "./strategic-directives.ts";
import {
  listOfLists,
  mergeDirectiveInList,
  mergeKeyMissing,
  mergeKeyUndeclared,
  mixedTypes,
  noElements,
  unknownDirective,
} from "./strategic-errors.ts";
import { divideList, type ElementKind, type ListOrder, orderList } from "./strategic-list-order.ts";

export interface ListMerge {
  /** Empty where the list declares none. */
  readonly mergeKey: string;
  /** The kind of the declared element type, for messages. */
  readonly elementType: string;
  readonly budget: PatchBudget;
  /** Merges an item of the patch into the one it matches. */
  readonly mergeItems: (original: JsonObject, patch: JsonObject) => JsonObject;
  /** The same, where an earlier item of the patch has matched it already. */
  readonly mergeRepeated: (original: JsonObject, patch: JsonObject) => JsonObject;
}

export interface MergedList {
  /** The merged list in order; the original itself where nothing changed. */
  readonly items: JsonValue[];
  /**
   * The server's list as a `$setElementOrder` sees it afterwards. apimachinery merges in place:
   * deleted items are gone from it, and as many new items have taken the freed slots at its end.
   */
  readonly server: JsonValue[];
}

export function mergeLists(
  original: JsonValue[],
  patch: JsonValue[],
  merge: ListMerge,
): MergedList {
  if (original.length === 0 && patch.length === 0) return { items: original, server: original };
  const elements = elementKind([original, patch]);
  if (elements === "object") return mergeObjectLists(original, patch, merge);
  const merged = [...new Set([...original, ...patch])];
  const items = orderMerged(merged, { ...merge, elements, patch, server: original });
  return { items: sameOr(original, items), server: original };
}

function mergeObjectLists(original: JsonValue[], patch: JsonValue[], merge: ListMerge): MergedList {
  if (merge.mergeKey === "") throw mergeKeyUndeclared(merge.elementType);
  const { remaining, plain, replace } = obeyItems(
    original as JsonObject[],
    patch as JsonObject[],
    merge.mergeKey,
  );
  const server = replace ? plain : remaining;
  const named = replace ? [] : plain;
  const merged = mergeObjectItems(server, named, merge);
  const items = orderMerged(merged, { ...merge, elements: "object", patch: named, server });
  const added = merged.slice(server.length, server.length + original.length - remaining.length);
  return { items: sameOr(original, items), server: [...remaining, ...added] };
}

function orderMerged(merged: JsonValue[], order: ListOrder): JsonValue[] {
  return orderList(divideList(merged, order.patch, order.mergeKey), order);
}

/** What a `$deleteFromPrimitiveList` leaves of a list. */
export function deleteFromList(
  original: JsonValue[],
  deletions: JsonValue[],
  merge: ListMerge,
): JsonValue[] {
  if (original.length === 0 && deletions.length === 0) return original;
  if (elementKind([original, deletions]) === "object") {
    return mergeLists(original, deletions, merge).items;
  }
  const deleted = new Set(deletions);
  const kept = original.filter((item) => !deleted.has(item));
  return kept.length === original.length ? original : kept;
}

/** What the items of lists to be merged are. All must be of one type, and none a list. */
export function elementKind(lists: JsonValue[][]): ElementKind {
  let type: string | undefined;
  for (const list of lists) {
    for (const item of list) {
      if (type === undefined) {
        if (Array.isArray(item)) throw listOfLists();
        if (item === null) throw mixedTypes(lists);
        type = goType(item);
      } else if (goType(item) !== type) {
        throw mixedTypes(lists);
      }
    }
  }
  if (type === undefined) throw noElements();
  return type === goType({}) ? "object" : "scalar";
}

interface ObeyedItems {
  /** What deletions leave of the original. */
  readonly remaining: JsonObject[];
  /** The items of the patch that are no commands. */
  readonly plain: JsonObject[];
  /** Whether these are to be the whole list. */
  readonly replace: boolean;
}

function obeyItems(original: JsonObject[], patch: JsonObject[], mergeKey: string): ObeyedItems {
  const plain: JsonObject[] = [];
  const deleted = new Set<JsonValue | undefined>();
  let replace = false;
  for (const item of patch) {
    const directive = ownKey(item, PATCH);
    if (directive === undefined) {
      plain.push(item);
    } else if (directive === "delete") {
      const name = ownKey(item, mergeKey);
      if (name === undefined) throw mergeKeyMissing(item, mergeKey);
      deleted.add(name);
    } else if (directive === "replace") {
      replace = true;
    } else {
      throw directive === "merge" ? mergeDirectiveInList() : unknownDirective(directive, item);
    }
  }
  const remaining =
    deleted.size === 0 ? original : original.filter((item) => !deleted.has(ownKey(item, mergeKey)));
  return { remaining, plain, replace };
}

/** Merges each item into the first that has its merge key, appends it where none has. */
function mergeObjectItems(
  original: JsonObject[],
  patch: JsonObject[],
  { mergeKey, mergeItems, mergeRepeated }: ListMerge,
): JsonObject[] {
  const merged = original.slice();
  const places = new Map<JsonValue, number>();
  for (const [place, item] of original.entries()) {
    const name = ownKey(item, mergeKey);
    if (name !== undefined && !places.has(name)) places.set(name, place);
  }
  const seen = new Set<JsonValue>();
  for (const item of patch) {
    const name = ownKey(item, mergeKey);
    if (name === undefined) throw mergeKeyMissing(item, mergeKey);
    const place = places.get(name);
    const match = place === undefined ? undefined : merged[place];
    if (place === undefined || match === undefined) {
      places.set(name, merged.length);
      merged.push(item);
    } else {
      merged[place] = seen.has(name) ? mergeRepeated(match, item) : mergeItems(match, item);
    }
    seen.add(name);
  }
  return merged;
}

/** `original` where the other list holds the very same items. */
export function sameOr(original: JsonValue[], items: JsonValue[]): JsonValue[] {
  const same =
    items.length === original.length && items.every((item, index) => item === original[index]);
  return same ? original : items;
}
