/** What lists of type set and map promise: no item twice. */
import {
  encodeJson,
  FieldError,
  FieldPath,
  type JsonObject,
  type JsonValue,
} from "@homeostat/object-model";
import { isJsonObject, type StructuralSchema } from "../structural/structural-schema.ts";
import { sortKeys } from "./shown-value.ts";

/** Every list in the value that breaks the promise of its type, each repeated item once. */
export function checkListTypes(
  value: JsonValue,
  schema: StructuralSchema,
  path?: FieldPath,
): FieldError[] {
  if (!schema.hasKeyedListsBelow) return [];
  const errors: FieldError[] = [];
  checkBelow(value, schema, { path, errors });
  return errors;
}

interface Place {
  readonly path: FieldPath | undefined;
  readonly errors: FieldError[];
}

function checkBelow(value: JsonValue, schema: StructuralSchema, place: Place): void {
  if (Array.isArray(value)) checkList(value, schema, place);
  else if (isJsonObject(value)) checkMembers(value, schema, place);
}

function checkMembers(object: JsonObject, schema: StructuralSchema, { path, errors }: Place): void {
  const { additionalSchema } = schema;
  for (const key of Object.keys(object)) {
    const member = object[key]!;
    if (typeof member !== "object" || member === null) continue;
    if (additionalSchema?.hasKeyedListsBelow) {
      checkBelow(member, additionalSchema, { path: (path ?? FieldPath.of("")).key(key), errors });
    }
    const declared = schema.properties.get(key);
    if (declared?.hasKeyedListsBelow) {
      checkBelow(member, declared, { path: path?.child(key) ?? FieldPath.of(key), errors });
    }
  }
}

function checkList(list: readonly JsonValue[], schema: StructuralSchema, place: Place): void {
  const path = place.path ?? FieldPath.of("");
  if (schema.listType === "set") {
    for (const index of repeated(list, identityOf)) {
      place.errors.push(FieldError.duplicate(path.index(index), sortKeys(list[index]!)));
    }
  } else if (schema.listType === "map") {
    for (const each of checkMapList(list, schema.listMapKeys, path)) place.errors.push(each);
  }
  const { items } = schema;
  if (!items?.hasKeyedListsBelow) return;
  for (const [index, item] of list.entries()) {
    checkBelow(item, items, { path: path.index(index), errors: place.errors });
  }
}

function checkMapList(
  list: readonly JsonValue[],
  names: readonly string[],
  path: FieldPath,
): FieldError[] {
  for (const [index, item] of list.entries()) {
    if (item === null || isJsonObject(item)) continue;
    const detail = "must be an object for an array of list-type map";
    return [FieldError.invalid(path.index(index), sortKeys(item), detail)];
  }
  const duplicates = repeated(list, (item) => keyText(item as JsonObject | null, names));
  return duplicates.map((index) => {
    const keys = keysOf(list[index] as JsonObject | null, names);
    return FieldError.duplicate(path.index(index), sortKeys(keys));
  });
}

/** Tells apart what `keysOf` tells apart. */
function keyText(item: JsonObject | null, names: readonly string[]): unknown {
  if (names.length === 1)
    return item !== null && Object.hasOwn(item, names[0]!)
      ? identityOf(item[names[0]!]!)
      : undefined;
  return names
    .map((name) => {
      if (item === null || !Object.hasOwn(item, name)) return "";
      return encodeJson(sortKeys(item[name]!));
    })
    .join("\n");
}

/** The keys that the item has. */
function keysOf(item: JsonObject | null, names: readonly string[]): JsonObject {
  const present = names.filter((name) => item !== null && Object.hasOwn(item, name));
  return Object.fromEntries(present.map((name) => [name, item![name]!]));
}

/** The index of the second of each value that occurs more than once. */
function repeated(values: readonly JsonValue[], identity: (value: JsonValue) => unknown): number[] {
  if (values.length <= 1) return [];
  const times = new Map<unknown, number>();
  const found: number[] = [];
  for (const [index, value] of values.entries()) {
    const key = identity(value);
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    if (before === 1) found.push(index);
  }
  return found;
}

/** The same for equal values and no others: texts are told from the texts that stand for objects. */
function identityOf(value: JsonValue): unknown {
  if (typeof value === "object" && value !== null) return `{}${encodeJson(sortKeys(value))}`;
  return typeof value === "string" ? `""${value}` : value;
}
