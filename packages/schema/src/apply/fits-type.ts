import { type JsonObject, type JsonValue, ownKey } from "@homeostat/object-model";
import { elementOf, ListElementError } from "./list-element.ts";
import {
  formOf,
  type ListForm,
  type MapForm,
  type MergeSchema,
  type ScalarForm,
  typeOfKey,
} from "./merge-schema.ts";

/** Larger and deeper values are looked at in steps. */
const MAX_VALUES = 2048;
const MAX_LEVELS = 50;

/**
 * Whether a value can be seen at a glance to have its type's form all the way down. Of almost all
 * values it can; of the others it is left open, and validate-value.ts says what is wrong, if anything.
 */
export function fitsType(
  value: JsonValue,
  schema: MergeSchema,
  { allowDuplicates }: { readonly allowDuplicates: boolean },
): boolean {
  return new Glance(allowDuplicates).fits(value, schema);
}

class Glance {
  #values = MAX_VALUES;
  #levels = MAX_LEVELS;
  readonly #allowDuplicates: boolean;

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  fits(value: JsonValue, schema: MergeSchema): boolean {
    if (value === null) return true;
    switch (formOf(schema, value)) {
      case "map":
        return typeof value === "object" && !Array.isArray(value) && this.#map(value, schema.map!);
      case "list":
        return Array.isArray(value) && this.#list(value, schema.list!);
      default:
        return isScalar(schema.scalar!, value);
    }
  }

  #map(map: JsonObject, form: MapForm): boolean {
    if (this.#levels-- === 0) return false;
    for (const key of Object.keys(map)) {
      const type = typeOfKey(form, key);
      if (type === undefined || this.#values-- === 0) return false;
      if (!this.fits(map[key]!, type)) return false;
    }
    this.#levels++;
    return true;
  }

  #list(list: readonly JsonValue[], form: ListForm): boolean {
    if (form.element === undefined) return true;
    if (this.#levels-- === 0) return false;
    if (list.length > this.#values) return false;
    if (form.relation === "associative" && !this.#haveElements(list, form)) return false;
    for (let at = 0; at < list.length; at++) {
      if (this.#values-- === 0 || !this.fits(list[at]!, form.element)) return false;
    }
    this.#levels++;
    return true;
  }

  /** Whether all of them have a path element, and another one where they must. */
  #haveElements(list: readonly JsonValue[], form: ListForm): boolean {
    const seen = this.#allowDuplicates ? undefined : new Set<string>();
    for (const item of list) {
      const element = elementAt(form, item);
      if (element === undefined || seen?.has(element) === true) return false;
      seen?.add(element);
    }
    return true;
  }
}

/** What tells an item from the others; undefined where nothing does. */
function elementAt(form: ListForm, item: JsonValue): string | undefined {
  const [key, another] = form.keys;
  if (key === undefined) {
    if (typeof item === "string") return item;
  } else if (another === undefined && typeof item === "object" && !Array.isArray(item)) {
    const text = ownKey(item ?? undefined, key);
    if (typeof text === "string") return text;
  }
  try {
    return elementOf(form, item);
  } catch (error) {
    if (error instanceof ListElementError) return undefined;
    throw error;
  }
}

function isScalar(scalar: ScalarForm, value: JsonValue): boolean {
  const type = typeof value;
  switch (scalar) {
    case "numeric":
      return type === "number" || type === "bigint";
    case "untyped":
      return type !== "object";
    default:
      return type === scalar;
  }
}
