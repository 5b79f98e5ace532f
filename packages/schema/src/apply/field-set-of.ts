import type { WorkSteps } from "@homeostat/cel";
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import { EMPTY_SET, type FieldSet, type MutableFieldSet, nodeOf } from "./field-set.ts";
import { itemsByElement, itemsInSteps } from "./items-by-element.ts";
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

/** Members and items between two rests. */
const PER_STEP = 1_024;

/** {@link fieldSetOf} of a large value: the same, in steps. */
export function* fieldSetInSteps(value: JsonValue, schema: MergeSchema): WorkSteps<FieldSet> {
  return (yield* new FieldWalk().node(value, schema, false)) ?? EMPTY_SET;
}

class FieldWalk {
  #seen = 0;

  *node(value: JsonValue, schema: MergeSchema, member: boolean): WorkSteps<FieldSet | undefined> {
    const form = formOf(schema, value);
    if (form === "map" && schema.map!.relation !== "atomic" && isMap(value)) {
      return nodeOf(member, yield* this.#keys(value, schema.map!));
    }
    if (form === "list" && schema.list!.relation !== "atomic" && Array.isArray(value)) {
      return nodeOf(member, yield* this.#items(value, schema.list!));
    }
    return nodeFor(value, schema, member);
  }

  *#keys(map: JsonObject, form: MapForm): WorkSteps<FieldSet> {
    const children: MutableFieldSet = {};
    for (const key of Object.keys(map)) {
      if (++this.#seen % PER_STEP === 0) yield;
      const type = typeOfKey(form, key);
      if (type === undefined) continue;
      const value = map[key]!;
      const isOwn = value === null || isEmptyMap(value) || !form.fields.has(key);
      const isPlain = typeof value !== "object" || value === null;
      const node = isPlain ? nodeFor(value, type, isOwn) : yield* this.node(value, type, isOwn);
      if (node !== undefined) children[fieldElement(key)] = node;
    }
    return children;
  }

  *#items(list: readonly JsonValue[], form: ListForm): WorkSteps<FieldSet> {
    const children: MutableFieldSet = {};
    for (const [element, items] of yield* itemsInSteps(list, form)) {
      if (++this.#seen % PER_STEP === 0) yield;
      const [item] = items;
      children[element] =
        items.length > 1 ? EMPTY_SET : (yield* this.node(item!, form.element!, true))!;
    }
    return children;
  }
}

function isMap(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmptyMap(value: JsonValue): boolean {
  return isMap(value) && Object.keys(value).length === 0;
}
