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
  if (Array.isArray(value)) {
    const list = value.map(sortKeys);
    return list.every((element, index) => element === value[index]) ? value : list;
  }
  const keys = Object.keys(value);
  let inOrder = true;
  let last = "";
  const values: JsonValue[] = [];
  for (const key of keys) {
    const given = ownKey(value, key)!;
    const sorted = sortKeys(given);
    values.push(sorted);
    if (sorted !== given || compareBytewise(last, key) > 0) inOrder = false;
    last = key;
  }
  if (inOrder) return value;
  const target: JsonObject = {};
  const order = keys.map((_, at) => at).sort((a, b) => compareBytewise(keys[a]!, keys[b]!));
  for (const at of order) setOwnKey(target, keys[at]!, values[at]!);
  return target;
}
