/** What absent fields take, on write and when an older object is read. */
import { finishNow, type WorkSteps } from "@homeostat/cel";
import { cloneJson, type JsonObject, type JsonValue, setOwnKey } from "@homeostat/object-model";
import { isJsonObject, type StructuralSchema } from "../structural/structural-schema.ts";

/**
 * Puts defaults in place, outer ones first, so that the fields of a default have theirs too. A null
 * where null is not allowed counts as absent.
 */
export function applySchemaDefaults(value: JsonValue, schema: StructuralSchema): void {
  finishNow(applySchemaDefaultsInSteps(value, schema));
}

/** The same with rests in long lists and large objects. */
export function* applySchemaDefaultsInSteps(
  value: JsonValue,
  schema: StructuralSchema,
): WorkSteps<void> {
  if (typeof value !== "object" || value === null) return;
  if (!schema.hasDefaultsBelow) return;
  if (Array.isArray(value)) yield* defaultItems(value, schema);
  else yield* defaultMembers(value, schema);
}

/** Values between two rests. */
const REST_EVERY = 4_096;

function* defaultItems(list: JsonValue[], schema: StructuralSchema): WorkSteps<void> {
  const { items } = schema;
  if (items === undefined) return;
  for (const [index, item] of list.entries()) {
    if (index % REST_EVERY === REST_EVERY - 1) yield;
    if (item !== null) yield* applySchemaDefaultsInSteps(item, items);
    else if (!items.nullable && items.defaultValue !== undefined) {
      const value = cloneJson(items.defaultValue);
      list[index] = value;
      yield* applySchemaDefaultsInSteps(value, items);
    }
  }
}

function* defaultMembers(object: JsonObject, schema: StructuralSchema): WorkSteps<void> {
  for (const [name, member] of schema.properties) {
    if (member.defaultValue === undefined) continue;
    const isAbsent = !Object.hasOwn(object, name) || (object[name] === null && !member.nullable);
    if (isAbsent) setOwnKey(object, name, cloneJson(member.defaultValue));
  }
  for (const [index, key] of Object.keys(object).entries()) {
    if (index % REST_EVERY === REST_EVERY - 1) yield;
    const value = object[key] as JsonValue;
    const declared = schema.properties.get(key);
    if (declared !== undefined) yield* applySchemaDefaultsInSteps(value, declared);
    else if (schema.additionalSchema !== undefined) {
      yield* defaultAdditional(object, key, schema.additionalSchema);
    }
  }
}

function* defaultAdditional(
  object: JsonObject,
  key: string,
  schema: StructuralSchema,
): WorkSteps<void> {
  if (isJsonObject(object[key]) || Array.isArray(object[key])) {
    yield* applySchemaDefaultsInSteps(object[key], schema);
  } else if (object[key] === null && !schema.nullable && schema.defaultValue !== undefined) {
    const value = cloneJson(schema.defaultValue);
    setOwnKey(object, key, value);
    yield* applySchemaDefaultsInSteps(value, schema);
  }
}
