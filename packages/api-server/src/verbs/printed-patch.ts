import {
  compareBytewise,
  encodeJson,
  type JsonObject,
  type JsonValue,
  ownKey,
  setOwnKey,
} from "@homeostat/object-model";
import { sortKeys } from "../codec/sort-keys.ts";

/** Where a patch goes: nothing is below a leaf. */
interface Reach extends Map<string, Reach> {}

/**
 * What a patch made, as refusals quote it: Go reads objects that a patch reaches as maps, which print in
 * the order of their keys, and leaves the others as they were. Objects of no type are maps throughout.
 */
export function printPatched(
  patched: JsonValue,
  { reach, isUntyped }: { readonly reach: Reach; readonly isUntyped: boolean },
): string {
  return encodeJson(isUntyped ? sortKeys(patched) : inOrder(patched, reach));
}

export function reachOfMerge(patch: JsonValue): Reach {
  if (!isObject(patch)) return new Map();
  return new Map(Object.entries(patch).map(([key, value]) => [key, reachOfMerge(value)]));
}

/** Of the places that JSON patch operations name. */
export function reachOfPointers(pointers: readonly string[]): Reach {
  const root: Reach = new Map();
  for (const pointer of pointers) {
    let at = root;
    for (const part of pointer.split("/").slice(1)) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      const next: Reach = at.get(key) ?? new Map();
      at.set(key, next);
      at = next;
    }
  }
  return root;
}

function inOrder(value: JsonValue, reach: Reach): JsonValue {
  if (Array.isArray(value)) {
    return value.map((each, at) => below(each, reach.get(String(at))));
  }
  if (!isObject(value)) return value;
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).toSorted(compareBytewise)) {
    setOwnKey(sorted, key, below(ownKey(value, key)!, reach.get(key)));
  }
  return sorted;
}

/** What is put somewhere as a whole stays as it is. */
function below(value: JsonValue, reach: Reach | undefined): JsonValue {
  return reach === undefined || reach.size === 0 ? value : inOrder(value, reach);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
