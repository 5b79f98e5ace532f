/**
 * What strategic merge needs to know about a type: the seam between the patches and wherever the
 * types are described. The built-in kinds implement it from the generated resource table; a schema
 * is asked for one field at a time, so it can be decoded lazily.
 */
export interface PatchSchema {
  /**
   * `struct`: an object with declared fields (also one that declares none, such as RawExtension).
   * `map`: an object with free keys (labels). `scalar`: everything else. Strategic merge refuses
   * to merge an object below a map or a scalar, because it finds no declaration for it there.
   */
  readonly kind: "struct" | "map" | "scalar";

  /** The type's short name, as error messages print it: `PodSpec`. */
  readonly name: string;

  /** The declaration of a field; undefined where the type has no such field, or is no struct. */
  field(name: string): PatchField | undefined;
}

export interface PatchField {
  /** Whether the field holds a list. */
  readonly list: boolean;

  /** The field's type; for a list, the type of its elements. */
  readonly schema: PatchSchema;

  /** `x-kubernetes-patch-merge-key`: the element field by which lists of objects are merged. */
  readonly mergeKey?: string;

  /**
   * `x-kubernetes-patch-strategy` split at its commas: none, `merge`, `replace`, `retainKeys`, or
   * one of the first two together with `retainKeys`. Without `merge` a list is replaced.
   */
  readonly strategies: readonly string[];
}
