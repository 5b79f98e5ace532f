import { type JsonObject, type JsonValue, ownKey } from "@homeostat/object-model";
import type { ListForm } from "./merge-schema.ts";
import { keyElement, valueElement } from "./path-element.ts";

/** An element of an associative list has no path of its own; the message says why. */
export class ListElementError extends Error {
  override readonly name: string = "ListElementError";
  readonly code = "list-element";
}

/** The path element of an item of an associative list. Throws ListElementError. */
export function elementOf(list: ListForm, item: JsonValue): string {
  if (list.relation !== "associative") {
    throw new ListElementError("invalid indexing of non-associative list");
  }
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListForm, item: JsonValue): string {
  if (item === null) {
    throw new ListElementError("associative list with keys may not have a null element");
  }
  if (typeof item !== "object" || Array.isArray(item)) {
    throw new ListElementError("associative list with keys may not have non-map elements");
  }
  if (list.keys.length === 1) {
    const key = list.keys[0]!;
    const value = ownKey(item, key) ?? defaultOf(list, item, key);
    if (value !== undefined) return keyElement([[key, value]]);
  }
  const fields: [string, JsonValue][] = [];
  for (const key of list.keys) {
    const value = ownKey(item, key) ?? defaultOf(list, item, key);
    if (value !== undefined) fields.push([key, value]);
  }
  if (fields.length === 0) {
    const keys = list.keys.map((key) => JSON.stringify(key)).join(" ");
    throw new ListElementError(
      `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(fields);
}

/** Null is a value and has no default. */
function defaultOf(list: ListForm, item: JsonObject, key: string): JsonValue | undefined {
  if (Object.hasOwn(item, key)) return item[key];
  const { map } = list.element ?? {};
  if (map === undefined) {
    throw new ListElementError(
      `couldn't find default value for ${key}: associative list may not have non-map types`,
    );
  }
  return map.fields.get(key)?.default;
}

function setElement(item: JsonValue): string {
  if (item === null) {
    throw new ListElementError(
      "associative list without keys has an element that's an explicit null",
    );
  }
  if (Array.isArray(item)) {
    throw new ListElementError("not supported: associative list with lists as elements");
  }
  if (typeof item === "object") {
    throw new ListElementError("associative list without keys has an element that's a map type");
  }
  return valueElement(item);
}
