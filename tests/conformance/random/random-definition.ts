import type { JsonObject } from "@homeostat/object-model";

/** A definition of a custom resource, and what its objects are made of. */
export interface RandomDefinition {
  readonly plural: string;
  readonly kind: string;
  readonly scope: "Namespaced" | "Cluster";
  /** The first is stored. */
  readonly versions: readonly (JsonObject & { readonly name: string })[];
  readonly subresources: readonly string[];
  readonly sample: JsonObject;
  /** Changes that make sense, or nearly; `null` removes. */
  readonly changes: readonly JsonObject[];
}

export const text = { type: "string" } as const;
export const number = { type: "integer" } as const;
export const shortText = { ...text, maxLength: 20 } as const;
