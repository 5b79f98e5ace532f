/** What the table says of one resource; the generated data is checked against this. */
export interface BuiltinResource {
  /** `""` is the core group. */
  readonly group: string;
  readonly version: string;
  /** The name in URLs: `deployments`. */
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  /** Absent where the resource cannot be listed. */
  readonly listKind?: string;
  readonly scope: "Cluster" | "Namespaced";
  readonly verbs: readonly ResourceVerb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly BuiltinSubresource[];
  /** Whether this version is the one its group prefers. */
  readonly preferred: boolean;
  /** Where discovery gives one (core group). */
  readonly storageVersionHash?: string;
  /** Name of the kind's schema, for `schemaOf`. The list's schema is this name with `List` behind. */
  readonly schema: string;
}

/** The kind a subresource speaks may belong to another group-version: `scale` is autoscaling/v1. */
export interface BuiltinSubresource {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly ResourceVerb[];
  readonly schema: string;
}

export type ResourceVerb =
  | "create"
  | "delete"
  | "deletecollection"
  | "get"
  | "list"
  | "patch"
  | "update"
  | "watch";
