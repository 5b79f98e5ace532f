import { ObjectRepository } from "./object-repository.ts";
import type { Plane } from "./plane.ts";
import { SelectionIndexes } from "./selection-index.ts";
import type { StoredKind } from "./served-resource.ts";

/** The repositories of a plane, one per kind, made when first asked for. */
export class Registry implements Disposable {
  readonly #plane: Plane;
  /** Kinds that are defined by clients come and go. */
  readonly #repositories = new WeakMap<StoredKind, ObjectRepository>();
  readonly #indexes = new Map<string, SelectionIndexes>();

  constructor(plane: Plane) {
    this.#plane = plane;
  }

  of(kind: StoredKind): ObjectRepository {
    let repository = this.#repositories.get(kind);
    if (repository === undefined) {
      repository = new ObjectRepository(kind, this.#plane);
      this.#repositories.set(kind, repository);
    }
    return repository;
  }

  /** By group and plural; throws for a resource that the plane does not have. */
  named(group: string, plural: string): ObjectRepository {
    const kind = this.#plane.table.findStored(group, plural);
    if (kind === undefined) throw new Error(`no resource ${plural} in group "${group}"`);
    return this.of(kind);
  }

  indexesOf(kind: StoredKind): SelectionIndexes {
    let indexes = this.#indexes.get(kind.prefix);
    if (indexes === undefined) {
      indexes = new SelectionIndexes(kind, this.#plane);
      this.#indexes.set(kind.prefix, indexes);
    }
    return indexes;
  }

  [Symbol.dispose](): void {
    for (const indexes of this.#indexes.values()) indexes[Symbol.dispose]();
  }
}
