import type { GroupResource, KubernetesObject } from "@homeostat/object-model";
import type { Store } from "@homeostat/store";
import type { StoredKind } from "../registry/served-resource.ts";
import { partsOfKey } from "../registry/storage-key.ts";
import { decodeStored } from "../registry/stored-object.ts";
import type { ObjectState } from "../registry/write-scope.ts";

/** Where kinds are kept: as much of a plane as this needs. */
export interface KnownObjectsPlane {
  readonly store: Store;
  readonly table: { findStored(group: string, plural: string): StoredKind | undefined };
}

/** By name in each namespace; "" for kinds that have none. */
type ObjectsByNamespace<T> = Map<string, Map<string, Readonly<T>>>;

/**
 * The objects of one kind that plugins look up with every write, decoded once and shared: nobody
 * changes them. Read from the store when first asked for, and followed from inside every commit.
 */
export class KnownObjects<T extends KubernetesObject> implements Disposable {
  readonly #store: Store;
  readonly #kind: StoredKind;
  #objects: ObjectsByNamespace<T> | undefined;
  #stopObserving: (() => void) | undefined;

  constructor({ store, table }: KnownObjectsPlane, { group, resource }: GroupResource) {
    this.#store = store;
    const kind = table.findStored(group, resource);
    if (kind === undefined) throw new Error(`no resource ${resource} in group "${group}"`);
    this.#kind = kind;
  }

  get(name: string, namespace = ""): Readonly<T> | undefined {
    return this.#all().get(namespace)?.get(name);
  }

  /** In no particular order. */
  list(namespace = ""): Iterable<Readonly<T>> {
    return this.#all().get(namespace)?.values() ?? [];
  }

  [Symbol.dispose](): void {
    this.#stopObserving?.();
    this.#stopObserving = undefined;
    this.#objects = undefined;
  }

  #all(): ObjectsByNamespace<T> {
    if (this.#objects !== undefined) return this.#objects;
    const objects: ObjectsByNamespace<T> = new Map();
    this.#objects = objects;
    const { prefix } = this.#kind;
    for (const item of this.#store.list({ prefix }).items) this.#set(item.key, item);
    this.#stopObserving = this.#store.observe(prefix, ({ key, current }) => {
      this.#set(key, current);
    });
    return objects;
  }

  #set(key: string, state: ObjectState | undefined): void {
    const { namespace, name } = partsOfKey(this.#kind, key);
    const objects = this.#objects?.get(namespace) ?? new Map<string, Readonly<T>>();
    if (state === undefined) objects.delete(name);
    else objects.set(name, decodeStored(state.value, state.revision) as T);
    if (objects.size === 0) this.#objects?.delete(namespace);
    else this.#objects?.set(namespace, objects);
  }
}
