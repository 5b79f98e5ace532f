import type { JsonObject, JsonValue } from "@homeostat/object-model";
import { EMPTY_SET, type FieldSet, type MutableFieldSet, nodeOf } from "./field-set.ts";
import { itemsByElement } from "./items-by-element.ts";
import {
  formOf,
  type ListForm,
  type MapForm,
  type MergeSchema,
  typeOfKey,
} from "./merge-schema.ts";
import { fieldElement } from "./path-element.ts";

/**
 * Every field that a value mentions: its leaves, the items of its lists and keys of its maps. Fields of
 * structs that hold others are no members themselves.
 */
export function fieldSetOf(value: JsonValue, schema: MergeSchema): FieldSet {
  return nodeFor(value, schema, false) ?? EMPTY_SET;
}

/** `member`: its path is one, whatever is below it. Undefined where there is nothing to own. */
function nodeFor(value: JsonValue, schema: MergeSchema, member: boolean): FieldSet | undefined {
  switch (formOf(schema, value)) {
    case "map":
      if (schema.map!.relation === "atomic") return EMPTY_SET;
      return nodeOf(member, isMap(value) ? keysOf(value, schema.map!) : EMPTY_SET);
    case "list":
      if (schema.list!.relation === "atomic") return EMPTY_SET;
      return nodeOf(member, Array.isArray(value) ? itemsOf(value, schema.list!) : EMPTY_SET);
    default:
      return EMPTY_SET;
  }
}

function keysOf(map: JsonObject, form: MapForm): FieldSet {
  const children: MutableFieldSet = {};
  for (const key of Object.keys(map)) {
    const type = typeOfKey(form, key);
    if (type === undefined) continue;
    const value = map[key]!;
    const isOwn = value === null || isEmptyMap(value) || !form.fields.has(key);
    const node = nodeFor(value, type, isOwn);
    if (node !== undefined) children[fieldElement(key)] = node;
  }
  return children;
}

function itemsOf(list: readonly JsonValue[], form: ListForm): FieldSet {
  const children: MutableFieldSet = {};
  for (const [element, items] of itemsByElement(list, form)) {
    const [item] = items;
    children[element] = items.length > 1 ? EMPTY_SET : nodeFor(item!, form.element!, true)!;
  }
  return children;
}

function isMap(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmptyMap(value: JsonValue): boolean {
  return isMap(value) && Object.keys(value).length === 0;
}
