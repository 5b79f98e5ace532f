import { isReservedName, unescapeName } from "../escape-name.ts";
import type { ObjectType, ObjectTypeField } from "./type.ts";

/** The field of this name in expressions; a word of the language may be written as it is after a dot. */
export function fieldOf(type: ObjectType, name: string): ObjectTypeField | undefined {
  const field = type.fields.get(name);
  if (field !== undefined) return field;
  return isReservedName(name) ? type.fields.get(`__${name}__`) : undefined;
}

const byJsonName = new WeakMap<ObjectType, ReadonlyMap<string, ObjectTypeField>>();

/** As `fieldOf`, for a name that comes from a value: the name in JSON is known too. */
export function fieldOfKey(type: ObjectType, key: string): ObjectTypeField | undefined {
  const field = type.fields.get(key);
  if (field !== undefined) return field;
  const name = unescapeName(key);
  if (name === undefined) return undefined;
  let names = byJsonName.get(type);
  if (names === undefined) {
    names = new Map([...type.fields.values()].map((declared) => [declared.jsonName, declared]));
    byJsonName.set(type, names);
  }
  return names.get(name);
}
