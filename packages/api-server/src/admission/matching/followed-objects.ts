import {
  compareBytewise,
  type GroupResource,
  type KubernetesObject,
} from "@homeostat/object-model";
import type { Store } from "@homeostat/store";
import type { StoredKind } from "../../registry/served-resource.ts";
import { partsOfKey } from "../../registry/storage-key.ts";
import { decodeStored } from "../../registry/stored-object.ts";
import type { KnownObjectsPlane } from "../known-objects.ts";

/**
 * What is made of all objects of a cluster-scoped kind, in the order of their names. Read from the
 * store when first asked for, and followed from inside every commit: what was just written counts for
 * the next request. With no objects, asking costs nothing.
 */
export class FollowedObjects<T extends KubernetesObject, Made> implements Disposable {
  readonly #store: Store;
  readonly #kind: StoredKind;
  readonly #make: (object: Readonly<T>) => Made;
  readonly #made = new Map<string, Made>();
  #inOrder: readonly Made[] | undefined;
  #stopObserving: (() => void) | undefined;

  constructor(
    { store, table }: KnownObjectsPlane,
    { group, resource }: GroupResource,
    make: (object: Readonly<T>) => Made,
  ) {
    this.#store = store;
    this.#kind = table.findStored(group, resource)!;
    this.#make = make;
  }

  get inOrder(): readonly Made[] {
    if (this.#stopObserving === undefined) this.#follow();
    this.#inOrder ??= [...this.#made.keys()]
      .sort(compareBytewise)
      .map((name) => this.#made.get(name)!);
    return this.#inOrder;
  }

  [Symbol.dispose](): void {
    this.#stopObserving?.();
    this.#stopObserving = undefined;
    this.#made.clear();
    this.#inOrder = undefined;
  }

  #follow(): void {
    const { prefix } = this.#kind;
    for (const { key, value, revision } of this.#store.list({ prefix }).items) {
      this.#set(key, decodeStored(value, revision) as T);
    }
    this.#stopObserving = this.#store.observe(prefix, ({ key, current }) => {
      this.#set(key, current && (decodeStored(current.value, current.revision) as T));
    });
  }

  #set(key: string, object: Readonly<T> | undefined): void {
    const { name } = partsOfKey(this.#kind, key);
    if (object === undefined) this.#made.delete(name);
    else this.#made.set(name, this.#make(object));
    this.#inOrder = undefined;
  }
}
