import { DYN, mapOf, type Type } from "../expression-types/type.ts";
import { isUint } from "./uint-value.ts";
import type { MapValue, Value } from "./value.ts";

export const MAP: Type = mapOf(DYN, DYN);

/** A map that holds its entries, in the order they were put in. */
export class EntryMap implements MapValue {
  readonly celType: Type = MAP;
  readonly #entries = new Map<unknown, readonly [key: Value, value: Value]>();

  static of(entries: Iterable<readonly [Value, Value]>): EntryMap {
    const map = new EntryMap();
    for (const [key, value] of entries) map.put(key, value);
    return map;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: Value): Value | undefined {
    return this.#entries.get(identityOf(key))?.[1];
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }

  /** Only while the map is being made: nobody else may have seen it. */
  put(key: Value, value: Value): void {
    this.#entries.set(identityOf(key), [key, value]);
  }

  /** As `put`. */
  drop(key: Value): void {
    this.#entries.delete(identityOf(key));
  }
}

/** What a comprehension collects entries into. */
export class GrowingMap extends EntryMap {}

export function isMap(value: Value): value is MapValue {
  if (typeof value !== "object" || value === null || !("celType" in value)) return false;
  return value.celType.kind === "map" || value.celType.kind === "object";
}

/** Numbers of one value are one key, whatever their type. */
function identityOf(key: Value): unknown {
  if (typeof key === "number") return Number.isInteger(key) ? BigInt(key) : key;
  return isUint(key) ? key.value : key;
}
