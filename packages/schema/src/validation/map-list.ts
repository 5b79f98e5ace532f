/** The items of a list of type map, found by the values of their keys. */
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import { isJsonObject, type StructuralSchema } from "../structural/structural-schema.ts";

export class MapList {
  readonly #keys: readonly string[];
  readonly #items = new Map<string, JsonObject>();

  private constructor(keys: readonly string[], items: readonly JsonValue[]) {
    this.#keys = keys;
    for (const item of items) {
      if (!isJsonObject(item)) continue;
      const key = this.#keyOf(item);
      // The first of several with the same keys counts.
      if (key !== undefined && !this.#items.has(key)) this.#items.set(key, item);
    }
  }

  /** Undefined where items of the list cannot be told apart by keys, or there are none. */
  static of(schema: StructuralSchema, items: readonly JsonValue[]): MapList | undefined {
    const keys = schema.listMapKeys;
    const isMapList = schema.type === "array" && schema.listType === "map" && keys.length > 0;
    return isMapList && items.length > 0 ? new MapList(keys, items) : undefined;
  }

  /** The item whose keys have the values that they have in `like`. */
  find(like: JsonValue): JsonObject | undefined {
    if (!isJsonObject(like)) return undefined;
    const key = this.#keyOf(like);
    return key === undefined ? undefined : this.#items.get(key);
  }

  /** Undefined where a key is missing or no scalar. */
  #keyOf(item: JsonObject): string | undefined {
    let text = "";
    for (const name of this.#keys) {
      if (!Object.hasOwn(item, name)) return undefined;
      const value = item[name];
      if (typeof value === "string") text += `${JSON.stringify(value)},`;
      else if (typeof value !== "object") text += `${String(value)},`;
      else return undefined;
    }
    return text;
  }
}
