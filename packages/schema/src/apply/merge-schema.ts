/**
 * What a value looks like to a merge. A type may allow several forms; the value then tells which one
 * counts. Types refer to each other by reference and may contain themselves, so they are complete
 * only once all are made.
 */
import type { JsonValue } from "@homeostat/object-model";

export interface MergeSchema {
  readonly scalar: ScalarForm | undefined;
  readonly list: ListForm | undefined;
  readonly map: MapForm | undefined;
}

/** `untyped` is any scalar. */
export type ScalarForm = "boolean" | "numeric" | "string" | "untyped";

export interface ListForm {
  /** An atomic list is one field; the elements of the others are told apart, by value or by keys. */
  readonly relation: "associative" | "atomic";
  /** The fields that together are an element's key, in the order of path elements; none for a set. */
  readonly keys: readonly string[];
  readonly element: MergeSchema | undefined;
}

/** Structs and maps alike: named fields, and the type of all other keys if there may be any. */
export interface MapForm {
  readonly relation: "atomic" | "granular";
  readonly fields: ReadonlyMap<string, MergeField>;
  readonly element: MergeSchema | undefined;
  /** Free content of which every map is granular: sets are never corrected against it. */
  readonly deduced: boolean;
}

export interface MergeField {
  readonly type: MergeSchema;
  /** What a key field of a list element is taken for when absent. */
  readonly default: JsonValue | undefined;
}

export function scalarSchema(scalar: ScalarForm): MergeSchema {
  return { scalar, list: undefined, map: undefined };
}

const NO_FIELDS: ReadonlyMap<string, MergeField> = new Map();

type Open<T> = { -readonly [Key in keyof T]: T[Key] };

/** Any value, as one field. */
export const UNTYPED_ATOMIC: MergeSchema = makeUntyped("atomic");

/** Any value: maps are granular at every depth, lists are one field. */
export const UNTYPED_DEDUCED: MergeSchema = makeUntyped("granular");

function makeUntyped(relation: MapForm["relation"]): MergeSchema {
  const list: Open<ListForm> = { relation: "atomic", keys: [], element: undefined };
  const map: Open<MapForm> = {
    relation,
    fields: NO_FIELDS,
    element: undefined,
    deduced: relation === "granular",
  };
  const schema: MergeSchema = { scalar: "untyped", list, map };
  map.element = schema;
  list.element = relation === "atomic" ? schema : UNTYPED_ATOMIC;
  return schema;
}

/** The forms a value can be treated as. */
export type Form = "list" | "map" | "scalar";

/** Which form of the type a value has. What fits none, null included, goes by what the type has. */
export function formOf(schema: MergeSchema, value: JsonValue): Form {
  if (typeof value === "object") {
    if (value === null) return firstForm(schema);
    if (Array.isArray(value)) return schema.list === undefined ? firstForm(schema) : "list";
    return firstForm(schema);
  }
  return schema.scalar === undefined ? firstForm(schema) : "scalar";
}

function firstForm(schema: MergeSchema): Form {
  if (schema.map !== undefined) return "map";
  return schema.scalar === undefined ? "list" : "scalar";
}

/** The type of what a key of the map holds; undefined where the type knows no such key. */
export function typeOfKey(map: MapForm, key: string): MergeSchema | undefined {
  return map.fields.get(key)?.type ?? map.element;
}
