import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { ownKey, setOwnKey } from "../json/own-key.ts";

/**
 * An object being changed without changing it. Keys keep their place, new ones come last, and an
 * object that ends up with the very values it had is the same object again: whoever patches can
 * tell "nothing changed" by identity.
 */
export class ObjectDraft {
  readonly #original: JsonObject;
  #changes: Map<string, JsonValue | undefined> | undefined;

  constructor(original: JsonObject) {
    this.#original = original;
  }

  get(key: string): JsonValue | undefined {
    return this.#changes?.has(key) ? this.#changes.get(key) : ownKey(this.#original, key);
  }

  set(key: string, value: JsonValue): void {
    if (this.get(key) !== value) this.#change(key, value);
  }

  delete(key: string): void {
    if (this.get(key) !== undefined) this.#change(key, undefined);
  }

  /** Deletes every key that is not in `keys`. */
  retain(keys: ReadonlySet<unknown>): void {
    for (const key of Object.keys(this.#original)) if (!keys.has(key)) this.delete(key);
  }

  finish(): JsonObject {
    if (this.#changes === undefined) return this.#original;
    const changes = [...this.#changes];
    const deleted = changes.some(([, value]) => value === undefined);
    const result = deleted ? this.#withoutDeleted(this.#changes) : { ...this.#original };
    for (const [key, value] of changes) if (value !== undefined) setOwnKey(result, key, value);
    return result;
  }

  /** A copy key by key: deleting from a copy would leave an object that is slow ever after. */
  #withoutDeleted(changes: ReadonlyMap<string, JsonValue | undefined>): JsonObject {
    const result: JsonObject = {};
    for (const key of Object.keys(this.#original)) {
      const value = this.#original[key];
      if (value === undefined || (changes.has(key) && changes.get(key) === undefined)) continue;
      setOwnKey(result, key, value);
    }
    return result;
  }

  #change(key: string, value: JsonValue | undefined): void {
    this.#changes ??= new Map();
    this.#changes.set(key, value);
  }
}
