import type { GroupResource, KubernetesObject } from "@homeostat/object-model";
import type { Namespace } from "@homeostat/object-model/core-v1";
import type { Plane } from "./plane.ts";
import { claimKey, listPrefix, objectKeyIn } from "./storage-key.ts";
import { decodeStored } from "./stored-object.ts";
import type { ObjectReader } from "./strategy.ts";

/** Namespaces that a kind's objects are written to are few; of more, the first are forgotten. */
const MAX_PHASES = 1000;

/** Reads what the store holds now. */
export class PlaneReader implements ObjectReader {
  readonly #plane: Pick<Plane, "store" | "table">;
  readonly #phases = new Map<string, { readonly revision: number; readonly phase: string }>();

  constructor(plane: Pick<Plane, "store" | "table">) {
    this.#plane = plane;
  }

  get(wanted: GroupResource, name: string, namespace = ""): KubernetesObject | undefined {
    const kind = this.#plane.table.findStored(wanted.group, wanted.resource);
    if (kind === undefined) return undefined;
    const found = this.#plane.store.get(objectKeyIn(kind, namespace, name));
    return found && decodeStored(found.value, found.revision);
  }

  namespacePhase(name: string): string | undefined {
    const kind = this.#plane.table.findStored("", "namespaces")!;
    const found = this.#plane.store.get(objectKeyIn(kind, "", name));
    if (found === undefined) {
      this.#phases.delete(name);
      return undefined;
    }
    const { revision } = found;
    const known = this.#phases.get(name);
    if (known?.revision === revision) return known.phase;
    const { status } = decodeStored(found.value, revision) as Namespace;
    const phase = status?.phase ?? "";
    if (this.#phases.size >= MAX_PHASES) this.#phases.clear();
    this.#phases.set(name, { revision, phase });
    return phase;
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
