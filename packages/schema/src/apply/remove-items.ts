import { type JsonObject, type JsonValue, setOwnKey } from "@homeostat/object-model";
import { below, type FieldSet, isEmptySet, isMember } from "./field-set.ts";
import { elementOf, ListElementError } from "./list-element.ts";
import {
  formOf,
  type ListForm,
  type MapForm,
  type MergeSchema,
  typeOfKey,
} from "./merge-schema.ts";
import { fieldElement } from "./path-element.ts";

/** The value without these fields and items; null where nothing is left of it. Shares with `value`. */
export function removeItems(value: JsonValue, items: FieldSet, schema: MergeSchema): JsonValue {
  switch (formOf(schema, value)) {
    case "map":
      if (!isMap(value) || schema.map!.relation === "atomic") return null;
      return removeKeys(value, items, schema.map!);
    case "list":
      if (!Array.isArray(value) || schema.list!.relation === "atomic") return null;
      return removeElements(value, items, schema.list!);
    default:
      return value;
  }
}

function removeKeys(map: JsonObject, items: FieldSet, form: MapForm): JsonValue {
  const kept: JsonObject = {};
  let count = 0;
  for (const key of Object.keys(map)) {
    const element = fieldElement(key);
    const node = Object.hasOwn(items, element) ? items[element] : undefined;
    if (node !== undefined && isMember(node)) continue;
    const type = typeOfKey(form, key);
    const value = map[key]!;
    const inner = node === undefined || type === undefined ? value : removeItems(value, node, type);
    setOwnKey(kept, key, inner);
    count++;
  }
  return count === 0 ? null : kept;
}

function removeElements(list: readonly JsonValue[], items: FieldSet, form: ListForm): JsonValue {
  const kept: JsonValue[] = [];
  for (const item of list) {
    const element = elementIn(form, item);
    const node =
      element !== undefined && Object.hasOwn(items, element) ? items[element] : undefined;
    if (node !== undefined && isMember(node)) continue;
    kept.push(node === undefined ? item : removeItems(item, node, form.element!));
  }
  return kept.length === 0 ? null : kept;
}

/** Only these fields and items of the value; null where it has none of them. */
export function extractItems(value: JsonValue, items: FieldSet, schema: MergeSchema): JsonValue {
  switch (formOf(schema, value)) {
    case "map":
      if (schema.map!.relation === "atomic" || isEmptyMap(value)) return value;
      if (!isMap(value)) return null;
      return extractKeys(value, items, schema.map!);
    case "list":
      if (!Array.isArray(value)) return null;
      if (schema.list!.relation === "atomic" || value.length === 0) return value;
      return extractElements(value, items, schema.list!);
    default:
      return value;
  }
}

function extractKeys(map: JsonObject, items: FieldSet, form: MapForm): JsonValue {
  const taken: JsonObject = {};
  let count = 0;
  for (const key of Object.keys(map)) {
    const element = fieldElement(key);
    const node = Object.hasOwn(items, element) ? items[element] : undefined;
    const type = typeOfKey(form, key);
    if (node === undefined || type === undefined) continue;
    const within = isMember(node) ? items : node;
    setOwnKey(taken, key, extractItems(map[key]!, within, type));
    count++;
  }
  return count === 0 ? null : taken;
}

function extractElements(list: readonly JsonValue[], items: FieldSet, form: ListForm): JsonValue {
  const taken: JsonValue[] = [];
  for (const item of list) {
    const element = elementIn(form, item);
    if (element === undefined || !Object.hasOwn(items, element)) continue;
    const within = below(items, element);
    taken.push(isEmptySet(within) ? item : extractItems(item, within, form.element!));
  }
  return taken.length === 0 ? null : taken;
}

function elementIn(form: ListForm, item: JsonValue): string | undefined {
  try {
    return elementOf(form, item);
  } catch (error) {
    if (error instanceof ListElementError) return undefined;
    throw error;
  }
}

function isMap(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmptyMap(value: JsonValue): boolean {
  return isMap(value) && Object.keys(value).length === 0;
}
