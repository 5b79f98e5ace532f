import { FieldSelector } from "@homeostat/object-model";
import type { AccessAttributes } from "../authorization/authorizer.ts";
import type { Query } from "../http/query.ts";

type ResourceAttributes = Extract<AccessAttributes, { kind: "resource" }>;

interface Watched {
  total: number;
  /** By namespace and name, "" for all. */
  readonly places: Map<string, number>;
}

/** How many watch what, for the work that a write makes. Namespaces and names tell watches apart, selectors do not. */
export class OpenWatches {
  readonly #resources = new Map<string, Watched>();

  /** What is returned ends the watch. */
  add(asked: ResourceAttributes, query: Query): () => void {
    if (isOfOneNode(asked, query)) return nothing;
    const { group, resource, namespace, name } = asked;
    const kind = `${resource}.${group}`;
    let watched = this.#resources.get(kind);
    if (watched === undefined) {
      watched = { total: 0, places: new Map() };
      this.#resources.set(kind, watched);
    }
    const { places } = watched;
    const place = `${namespace}/${name}`;
    watched.total++;
    places.set(place, (places.get(place) ?? 0) + 1);
    return () => {
      watched.total--;
      const left = places.get(place)! - 1;
      if (left > 0) places.set(place, left);
      else places.delete(place);
    };
  }

  /** Those that a write may have something to say to. */
  interestedIn({ group, resource, namespace, name }: ResourceAttributes): number {
    const watched = this.#resources.get(`${resource}.${group}`);
    if (watched === undefined || watched.total === 0) return 0;
    const at = (place: string): number => watched.places.get(place) ?? 0;
    let count = at("/");
    if (namespace !== "") count += at(`${namespace}/`);
    if (name !== "") count += at(`${namespace}/${name}`);
    return count;
  }
}

function nothing(): void {}

/** Each kubelet watches its own pods: a write of one is of interest to one of them. */
function isOfOneNode({ resource }: ResourceAttributes, query: Query): boolean {
  const selector = query.get("fieldSelector");
  if (resource !== "pods" || selector === "") return false;
  try {
    const node = FieldSelector.parse(selector).requiredValue("spec.nodeName");
    return node !== undefined && node !== "";
  } catch {
    return false;
  }
}
