/**
 * The order of a merged list. Items the patch names come in the patch's order, items only the
 * server has keep theirs, and the two are interleaved by their places in the server's list: an item
 * of the server goes before the next named item if it stood before it. So a server list `a b c d`
 * under a patch that names `d x b` becomes `a c d x b`.
 *
 * Items are looked up by identity, the merge key's value or the scalar itself: ordering costs what
 * sorting costs, however long the lists are.
 */
import type { JsonValue } from "../json/json-value.ts";
import { ownKey } from "../json/own-key.ts";
import { isContainer, isObject } from "./json-kind.ts";
import type { PatchBudget } from "./patch-limits.ts";
import { PATCH } from "./strategic-directives.ts";
import {
  malformedElementOrder,
  mergeKeyMissing,
  notAnObject,
  orderMismatch,
  wrongType,
} from "./strategic-errors.ts";

/** A merged list, divided for ordering. */
export interface DividedList {
  readonly named: JsonValue[];
  readonly serverOnly: JsonValue[];
}

export interface ListOrder {
  /** The list whose order the named items take. */
  readonly patch: readonly JsonValue[];
  /** The list as the server had it. */
  readonly server: readonly JsonValue[];
  /** Empty where the list declares none. */
  readonly mergeKey: string;
  readonly elements: ElementKind;
  readonly budget: PatchBudget;
}

export type ElementKind = "object" | "scalar";

/**
 * Refuses a list of a patch that contradicts its `$setElementOrder`: apart from deletions, every
 * item must be named there, in the same order. Where either is empty there is nothing to contradict.
 */
export function checkNamedInOrder(patch: JsonValue[], order: JsonValue[], mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const items = mergeKey === "" ? patch : patch.filter((item) => !isDeletion(item));
  let next = 0;
  for (let at = 0; at < order.length && next < items.length; ) {
    const item = items[next] ?? null;
    if (isCommand(item)) {
      next++;
      continue;
    }
    if (hasSameIdentity(item, order[at] ?? null, mergeKey)) next++;
    at++;
  }
  // Also where only commands are left over: apimachinery looks no further than the order list.
  if (next < items.length) throw orderMismatch(patch, order);
}

function isDeletion(item: JsonValue): boolean {
  if (!isObject(item)) throw wrongType({}, item);
  return ownKey(item, PATCH) === "delete";
}

function isCommand(item: JsonValue): boolean {
  return isObject(item) && Object.hasOwn(item, PATCH);
}

function hasSameIdentity(left: JsonValue, right: JsonValue, mergeKey: string): boolean {
  if (mergeKey === "") return left === right;
  if (!isObject(left)) throw wrongType({}, left);
  if (!isObject(right)) throw wrongType({}, right);
  requireMergeKey(left, mergeKey);
  requireMergeKey(right, mergeKey);
  return identityOf(left, mergeKey) === identityOf(right, mergeKey);
}

/** Divides a merged list into the items that `naming` names and those only the server has. */
export function divideList(
  merged: readonly JsonValue[],
  naming: readonly JsonValue[],
  mergeKey: string,
): DividedList {
  const named: JsonValue[] = [];
  const serverOnly: JsonValue[] = [];
  const isNamed = mergeKey === "" ? namesScalar(naming) : namesObject(naming, mergeKey);
  for (const item of merged) (isNamed(item) ? named : serverOnly).push(item);
  return { named, serverOnly };
}

function namesScalar(naming: readonly JsonValue[]): (item: JsonValue) => boolean {
  if (naming.some(isContainer)) throw malformedElementOrder();
  const names = new Set(naming);
  return (item) => {
    if (isContainer(item)) throw malformedElementOrder();
    return names.has(item);
  };
}

function namesObject(naming: readonly JsonValue[], mergeKey: string): (item: JsonValue) => boolean {
  // Something else than an object among the names is only noticed by who looks past it.
  const stranger = naming.findIndex((item) => !isObject(item));
  const readable = stranger === -1 ? naming : naming.slice(0, stranger);
  const names = new Set(readable.map((item) => identityOf(item, mergeKey)));
  return (item) => {
    if (!isObject(item)) throw wrongType({}, item);
    const name = ownKey(item, mergeKey);
    if (name === undefined) throw mergeKeyMissing(item, mergeKey);
    if (names.has(name)) return true;
    if (stranger !== -1) throw notAnObject(stranger);
    return false;
  };
}

/** The items of a divided list in their final order. */
export function orderList({ named, serverOnly }: DividedList, order: ListOrder): JsonValue[] {
  const right = sortBy(named, order.patch, order);
  const left = sortBy(serverOnly, order.server, order);
  const places = placesIn(order.server, order);
  const placeOf = (item: JsonValue): number | undefined => places.get(identity(item, order));
  const result: JsonValue[] = [];
  let next = 0;
  for (const item of right) {
    const limit = placeOf(item);
    for (; next < left.length; next++) {
      const own = left[next] ?? null;
      const place = placeOf(own);
      if (place === undefined || limit === undefined || place >= limit) break;
      result.push(own);
    }
    result.push(item);
  }
  for (; next < left.length; next++) result.push(left[next] ?? null);
  return result;
}

/** Items sorted by their places in `order`; those still marked for deletion come last. */
function sortBy(items: JsonValue[], order: readonly JsonValue[], context: ListOrder): JsonValue[] {
  if (context.elements === "object") {
    requireMergeKeys(items, context.mergeKey);
    requireMergeKeys(order, context.mergeKey);
  }
  const places = placesIn(order, context);
  const entries: Entry[] = [];
  const deleted: JsonValue[] = [];
  let allPlaced = true;
  for (const item of items) {
    if (context.elements === "object" && isDeletion(item)) {
      deleted.push(item);
      continue;
    }
    const place = places.get(identity(item, context));
    allPlaced &&= place !== undefined;
    entries.push({ item, place });
  }
  if (allPlaced) entries.sort((a, b) => (a.place ?? 0) - (b.place ?? 0));
  else insertionSort(entries, context.budget);
  return [...entries.map(({ item }) => item), ...deleted];
}

interface Entry {
  readonly item: JsonValue;
  readonly place: number | undefined;
}

/**
 * Items without a place exist only under an empty `$setElementOrder`. apimachinery then calls any
 * of them less than any other, so the result is whatever its insertion sort makes of that.
 */
function insertionSort(entries: Entry[], budget: PatchBudget): void {
  budget.spendSteps(entries.length ** 2 / 2);
  for (let end = 1; end < entries.length; end++) {
    for (let at = end; at > 0; at--) {
      const left = entries[at - 1];
      const right = entries[at];
      if (left === undefined || right === undefined) break;
      const bothPlaced = left.place !== undefined && right.place !== undefined;
      if (bothPlaced && right.place >= left.place) break;
      entries[at - 1] = right;
      entries[at] = left;
    }
  }
}

function requireMergeKeys(items: readonly JsonValue[], mergeKey: string): void {
  for (const item of items) requireMergeKey(item, mergeKey);
}

function requireMergeKey(item: JsonValue, mergeKey: string): void {
  if (!isObject(item)) throw wrongType({}, item);
  if (!Object.hasOwn(item, mergeKey)) throw mergeKeyMissing(item, mergeKey);
}

/** Where each item stands first. */
function placesIn(list: readonly JsonValue[], context: ListOrder): Map<JsonValue, number> {
  const places = new Map<JsonValue, number>();
  for (const [place, item] of list.entries()) {
    const name = identity(item, context);
    if (!places.has(name)) places.set(name, place);
  }
  return places;
}

function identity(item: JsonValue, { elements, mergeKey }: ListOrder): JsonValue {
  return elements === "object" ? identityOf(item, mergeKey) : item;
}

function identityOf(item: JsonValue, mergeKey: string): JsonValue {
  return isObject(item) ? (ownKey(item, mergeKey) ?? null) : null;
}
