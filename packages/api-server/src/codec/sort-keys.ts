import {
  compareBytewise,
  type JsonObject,
  type JsonValue,
  ownKey,
  setOwnKey,
} from "@homeostat/object-model";

/** The same value with the keys of every object in order; shares what is in order already. */
export function sortKeys(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? sortItems(value) : sortMembers(value);
}

function sortItems(list: JsonValue[]): JsonValue[] {
  let sorted: JsonValue[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const item = list[at]!;
    if (typeof item !== "object") continue;
    const made = sortKeys(item);
    if (made === item) continue;
    sorted ??= list.slice();
    sorted[at] = made;
  }
  return sorted ?? list;
}

function sortMembers(object: JsonObject): JsonObject {
  const keys = Object.keys(object);
  let changed: Map<string, JsonValue> | undefined;
  let inOrder = true;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    if (at > 0 && inOrder && compareBytewise(keys[at - 1]!, key) > 0) inOrder = false;
    const given = ownKey(object, key)!;
    if (typeof given !== "object") continue;
    const sorted = sortKeys(given);
    if (sorted === given) continue;
    changed ??= new Map();
    changed.set(key, sorted);
  }
  if (inOrder && changed === undefined) return object;
  const target: JsonObject = {};
  for (const key of inOrder ? keys : keys.sort(compareBytewise)) {
    setOwnKey(target, key, changed?.get(key) ?? ownKey(object, key)!);
  }
  return target;
}
