/**
 * Where things are in the store: under the keys that kube-apiserver uses in etcd, which some of its
 * messages show, `/registry/<kind>/[<namespace>/]<name>`. Names and namespaces hold no slash (requests
 * with one are refused before a key is made), so no kind's or namespace's prefix begins another's.
 * Claims live beside the registry.
 */
export function kindPrefix(
  group: string,
  plural: string,
  { custom = false }: { readonly custom?: boolean } = {},
): string {
  if (custom) return `/registry/${group}/${plural}/`;
  const place = PLACES[plural] ?? plural;
  return GROUPED.has(group) ? `/registry/${group}/${place}/` : `/registry/${place}/`;
}

/** Kinds that are kept under an older name. */
const PLACES: Readonly<Record<string, string>> = {
  endpoints: "services/endpoints",
  ingresses: "ingress",
  nodes: "minions",
  replicationcontrollers: "controllers",
  services: "services/specs",
};

/** The API servers behind kube-apiserver keep their kinds by group. */
const GROUPED: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

export interface KeyPlace {
  readonly prefix: string;
  readonly namespaced: boolean;
}

/** The prefix of all objects of a kind, or of those in one namespace. */
export function listPrefix(kind: KeyPlace, namespace: string): string {
  return kind.namespaced && namespace !== "" ? `${kind.prefix}${namespace}/` : kind.prefix;
}

export function objectKeyIn(kind: KeyPlace, namespace: string, name: string): string {
  return kind.namespaced ? `${kind.prefix}${namespace}/${name}` : `${kind.prefix}${name}`;
}

/** The namespace and name that a key of this kind ends with. */
export function partsOfKey(kind: KeyPlace, key: string): { namespace: string; name: string } {
  const rest = key.slice(kind.prefix.length);
  const slash = kind.namespaced ? rest.indexOf("/") : -1;
  return { namespace: rest.slice(0, Math.max(slash, 0)), name: rest.slice(slash + 1) };
}

/** Where a claim (a node port) is kept. */
export function claimKey(claim: string): string {
  return `/claims/${claim}`;
}
