import { type GroupVersionKind, listBuiltinResources } from "@homeostat/object-model";
import type { ServedResource } from "../../registry/served-resource.ts";
import { type MatchedResource, resourceOf } from "./admission-attributes.ts";

/** Where resources are found: as much of a resource table as this needs. */
export interface ServedResources {
  find(group: string, version: string, plural: string): ServedResource | undefined;
  listCustom(): Iterable<ServedResource>;
}

/** Resources under which the same objects are served, by the resource of a request. */
export class EquivalentResources {
  readonly #table: ServedResources;
  readonly #known = new WeakMap<ServedResource, readonly ServedResource[]>();

  constructor(table: ServedResources) {
    this.#table = table;
  }

  /** The others that have the subresource too; none of them is `served`. */
  of(served: ServedResource, subresource: string): readonly MatchedResource[] {
    let others = this.#known.get(served);
    if (others === undefined) {
      others = [...this.#find(served)];
      this.#known.set(served, others);
    }
    return others.flatMap((other) => {
      const kind = kindFor(other, subresource);
      return kind === undefined ? [] : [{ served: other, resource: resourceOf(other), kind }];
    });
  }

  *#find(served: ServedResource): Iterable<ServedResource> {
    if (served.custom !== undefined) {
      for (const other of this.#table.listCustom()) {
        if (other !== served && other.custom?.definedBy === served.custom.definedBy) yield other;
      }
      return;
    }
    for (const { group, version, plural } of listBuiltinResources()) {
      if (plural !== served.definition.plural) continue;
      const other = this.#table.find(group, version, plural);
      if (other !== undefined && other !== served && other.stored.prefix === served.stored.prefix) {
        yield other;
      }
    }
  }
}

/** The kind of what is written there; undefined where there is no such subresource. */
function kindFor(
  { definition }: ServedResource,
  subresource: string,
): GroupVersionKind | undefined {
  const { group, version, kind } = definition;
  if (subresource === "") return { group, version, kind };
  const found = definition.subresources.find(({ name }) => name === subresource);
  return found && { group: found.group, version: found.version, kind: found.kind };
}
