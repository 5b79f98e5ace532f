import type {
  BuiltinResource,
  GroupKind,
  GroupResource,
  ObjectSchema,
} from "@homeostat/object-model";
import type { Strategy } from "./strategy.ts";

/** How the objects of one kind are kept, whatever versions they are served in. */
export interface StoredKind {
  readonly groupResource: GroupResource;
  readonly groupKind: GroupKind;
  /** The version whose bytes are kept. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** What all keys of this kind start with; never the beginning of another kind's. */
  readonly prefix: string;
  readonly schema: ObjectSchema;
  readonly strategy: Strategy;
  /** Clients write the status through the subresource only. */
  readonly hasStatus: boolean;
  /** Selectable fields in the order in which their values are kept beside the bytes. */
  readonly fieldNames: readonly string[];
}

/** One resource of one served version. */
export interface ServedResource {
  readonly definition: BuiltinResource;
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly schema: ObjectSchema;
  readonly stored: StoredKind;
  /** Whether kept bytes are this version's. */
  readonly isStorageVersion: boolean;
  /** Whether what is written passes conversion: the kind is served in several versions. */
  readonly converts: boolean;
}
