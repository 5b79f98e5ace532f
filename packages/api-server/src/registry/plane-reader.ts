import type { GroupResource, KubernetesObject } from "@homeostat/object-model";
import type { Plane } from "./plane.ts";
import { claimKey, listPrefix, objectKeyIn } from "./storage-key.ts";
import { decodeStored } from "./stored-object.ts";
import type { ObjectReader } from "./strategy.ts";

/** Reads what the store holds now. */
export class PlaneReader implements ObjectReader {
  readonly #plane: Plane;

  constructor(plane: Plane) {
    this.#plane = plane;
  }

  get(wanted: GroupResource, name: string, namespace = ""): KubernetesObject | undefined {
    const kind = this.#plane.table.findStored(wanted.group, wanted.resource);
    if (kind === undefined) return undefined;
    const found = this.#plane.store.get(objectKeyIn(kind, namespace, name));
    return found && decodeStored(found.value, found.revision);
  }

  *list(wanted: GroupResource, namespace = ""): Iterable<KubernetesObject> {
    const kind = this.#plane.table.findStored(wanted.group, wanted.resource);
    if (kind === undefined) return;
    const { items } = this.#plane.store.list({ prefix: listPrefix(kind, namespace) });
    for (const item of items) yield decodeStored(item.value, item.revision);
  }

  isClaimed(claim: string): boolean {
    return this.#plane.store.get(claimKey(claim)) !== undefined;
  }
}
