import type { GroupResource, KubernetesObject } from "@homeostat/object-model";
import type { Store } from "@homeostat/store";
import type { StoredKind } from "../registry/served-resource.ts";
import { listPrefix, objectKeyIn } from "../registry/storage-key.ts";
import { decodeStored } from "../registry/stored-object.ts";

/** Where kinds are kept: as much of a plane as this needs. */
export interface KnownObjectsPlane {
  readonly store: Store;
  readonly table: { findStored(group: string, plural: string): StoredKind | undefined };
}

/**
 * The objects of one kind that plugins look up with every write, decoded once and shared: nobody
 * changes them. Read from the store when first asked for, and followed from inside every commit.
 */
export class KnownObjects<T extends KubernetesObject> implements Disposable {
  readonly #store: Store;
  readonly #kind: StoredKind;
  #objects: Map<string, Readonly<T>> | undefined;
  #stopObserving: (() => void) | undefined;

  constructor({ store, table }: KnownObjectsPlane, { group, resource }: GroupResource) {
    this.#store = store;
    const kind = table.findStored(group, resource);
    if (kind === undefined) throw new Error(`no resource ${resource} in group "${group}"`);
    this.#kind = kind;
  }

  get(name: string, namespace = ""): Readonly<T> | undefined {
    return this.#all().get(objectKeyIn(this.#kind, namespace, name));
  }

  /** In no particular order; of one namespace, or of all. */
  *list(namespace = ""): Iterable<Readonly<T>> {
    const prefix = listPrefix(this.#kind, namespace);
    for (const [key, object] of this.#all()) if (key.startsWith(prefix)) yield object;
  }

  [Symbol.dispose](): void {
    this.#stopObserving?.();
    this.#stopObserving = undefined;
    this.#objects = undefined;
  }

  #all(): ReadonlyMap<string, Readonly<T>> {
    if (this.#objects !== undefined) return this.#objects;
    const objects = new Map<string, Readonly<T>>();
    const { prefix } = this.#kind;
    for (const { key, value, revision } of this.#store.list({ prefix }).items) {
      objects.set(key, decodeStored(value, revision) as T);
    }
    this.#objects = objects;
    this.#stopObserving = this.#store.observe(prefix, ({ key, current }) => {
      if (current === undefined) objects.delete(key);
      else objects.set(key, decodeStored(current.value, current.revision) as T);
    });
    return objects;
  }
}
