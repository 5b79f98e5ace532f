/** What absent fields take, on write and when an older object is read. */
import { cloneJson, type JsonObject, type JsonValue, setOwnKey } from "@homeostat/object-model";
import { isJsonObject, type StructuralSchema } from "../structural/structural-schema.ts";

/**
 * Puts defaults in place, outer ones first, so that the fields of a default have theirs too. A null
 * where null is not allowed counts as absent.
 */
export function applySchemaDefaults(value: JsonValue, schema: StructuralSchema): void {
  if (typeof value !== "object" || value === null) return;
  if (!schema.hasDefaultsBelow) return;
  if (Array.isArray(value)) defaultItems(value, schema);
  else defaultMembers(value, schema);
}

function defaultItems(list: JsonValue[], schema: StructuralSchema): void {
  const { items } = schema;
  if (items === undefined) return;
  for (const [index, item] of list.entries()) {
    if (item !== null) applySchemaDefaults(item, items);
    else if (!items.nullable && items.defaultValue !== undefined) {
      const value = cloneJson(items.defaultValue);
      list[index] = value;
      applySchemaDefaults(value, items);
    }
  }
}

function defaultMembers(object: JsonObject, schema: StructuralSchema): void {
  for (const [name, member] of schema.properties) {
    if (member.defaultValue === undefined) continue;
    const isAbsent = !Object.hasOwn(object, name) || (object[name] === null && !member.nullable);
    if (isAbsent) setOwnKey(object, name, cloneJson(member.defaultValue));
  }
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue;
    const declared = schema.properties.get(key);
    if (declared !== undefined) applySchemaDefaults(value, declared);
    else if (schema.additionalSchema !== undefined) {
      defaultAdditional(object, key, schema.additionalSchema);
    }
  }
}

function defaultAdditional(object: JsonObject, key: string, schema: StructuralSchema): void {
  if (isJsonObject(object[key]) || Array.isArray(object[key])) {
    applySchemaDefaults(object[key], schema);
  } else if (object[key] === null && !schema.nullable && schema.defaultValue !== undefined) {
    const value = cloneJson(schema.defaultValue);
    setOwnKey(object, key, value);
    applySchemaDefaults(value, schema);
  }
}
