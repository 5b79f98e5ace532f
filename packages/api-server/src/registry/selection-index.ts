import { ownKey } from "@homeostat/object-model";
import type { KeyValue, StoreEvent } from "@homeostat/store";
import type { Plane } from "./plane.ts";
import type { StoredKind } from "./served-resource.ts";
import { storedFields, storedLabels } from "./stored-object.ts";

/** A label or a selectable field, by which objects can be looked up. */
export type Subject = { readonly label: string } | { readonly field: string };

/** Above this many objects an index is built in steps, with other work in between. */
const STEP = 2000;

/** Every index costs something at every write; the one that was not used for longest goes. */
const MAX_INDEXES = 32;

/**
 * Which objects of a kind have which value, for the labels and fields that somebody selects by:
 * an index begins to exist with the first list that could use it, and follows every commit from
 * inside it, so that what it answers agrees with what the store shows. Where an index is not built
 * yet the caller looks at every object, as it would have to anyway.
 */
export class SelectionIndexes implements Disposable {
  readonly #kind: StoredKind;
  readonly #plane: Pick<Plane, "clock" | "store">;
  readonly #indexes = new Map<string, SelectionIndex>();
  #stopObserving: (() => void) | undefined;

  constructor(kind: StoredKind, plane: Pick<Plane, "clock" | "store">) {
    this.#kind = kind;
    this.#plane = plane;
  }

  /** The keys of the objects with one of these values; undefined when the index is not ready. */
  keysOf(subject: Subject, values: readonly string[]): readonly string[] | undefined {
    const index = this.#indexOf(subject);
    if (!index.ready) return undefined;
    const keys: string[] = [];
    for (const value of values) for (const key of index.keys(value)) keys.push(key);
    return keys;
  }

  /** How many there are. */
  get size(): number {
    return this.#indexes.size;
  }

  [Symbol.dispose](): void {
    this.#stopObserving?.();
    this.#stopObserving = undefined;
    this.#indexes.clear();
  }

  #indexOf(subject: Subject): SelectionIndex {
    const name = "label" in subject ? `label ${subject.label}` : `field ${subject.field}`;
    const known = this.#indexes.get(name);
    if (known !== undefined) {
      this.#indexes.delete(name);
      this.#indexes.set(name, known);
      return known;
    }
    const [oldest] = this.#indexes.keys();
    if (oldest !== undefined && this.#indexes.size >= MAX_INDEXES) this.#indexes.delete(oldest);
    const index = new SelectionIndex(this.#valueReader(subject));
    this.#indexes.set(name, index);
    const { store } = this.#plane;
    this.#stopObserving ??= store.observe(this.#kind.prefix, (event) => this.#follow(event));
    this.#build(name, index, { revision: store.revision, after: undefined });
    return index;
  }

  #follow(event: StoreEvent): void {
    for (const index of this.#indexes.values()) index.follow(event);
  }

  /** Adds what existed when the index began; what changes meanwhile is followed and wins. */
  #build(
    name: string,
    index: SelectionIndex,
    from: { revision: number; after: string | undefined },
  ): void {
    if (this.#indexes.get(name) !== index) return;
    const { store, clock } = this.#plane;
    const { prefix } = this.#kind;
    let page: ReturnType<typeof store.list>;
    try {
      page = store.list({ prefix, limit: STEP, revision: from.revision, after: from.after });
    } catch {
      // Compacted or closed: begin again when somebody asks.
      this.#indexes.delete(name);
      return;
    }
    for (const item of page.items) index.addOld(item);
    const { next } = page;
    if (next === undefined) index.finish();
    else clock.endOfTurn(() => this.#build(name, index, { revision: from.revision, after: next }));
  }

  #valueReader(subject: Subject): (stored: Uint8Array) => string | undefined {
    if ("label" in subject) return (stored) => ownKey(storedLabels(stored), subject.label);
    const at = this.#kind.fieldNames.indexOf(subject.field);
    return (stored) => storedFields(stored)[at];
  }
}

/** One label's or field's values, and the keys that have them. */
class SelectionIndex {
  readonly #valueOf: (stored: Uint8Array) => string | undefined;
  readonly #keys = new Map<string, Set<string>>();
  /** While building: keys that changed since the beginning; their old state must not be added. */
  #changed: Set<string> | undefined = new Set();

  constructor(valueOf: (stored: Uint8Array) => string | undefined) {
    this.#valueOf = valueOf;
  }

  get ready(): boolean {
    return this.#changed === undefined;
  }

  finish(): void {
    this.#changed = undefined;
  }

  keys(value: string): Iterable<string> {
    return this.#keys.get(value) ?? [];
  }

  addOld(item: KeyValue): void {
    if (this.#changed?.has(item.key) !== true) this.#add(this.#valueOf(item.value), item.key);
  }

  follow({ key, current, previous }: StoreEvent): void {
    const before = previous && this.#valueOf(previous.value);
    const after = current && this.#valueOf(current.value);
    this.#changed?.add(key);
    if (before === after && this.ready) return;
    if (before !== undefined) this.#remove(before, key);
    this.#add(after, key);
  }

  #add(value: string | undefined, key: string): void {
    if (value === undefined) return;
    const keys = this.#keys.get(value);
    if (keys === undefined) this.#keys.set(value, new Set([key]));
    else keys.add(key);
  }

  #remove(value: string, key: string): void {
    const keys = this.#keys.get(value);
    keys?.delete(key);
    if (keys?.size === 0) this.#keys.delete(value);
  }
}
