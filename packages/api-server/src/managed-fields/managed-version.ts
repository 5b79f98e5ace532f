import type { JsonObject } from "@homeostat/object-model";
import type { MergeSchema } from "@homeostat/schema";

/** One version of a kind, as managers know it. */
export interface ManagedVersion {
  readonly apiVersion: string;
  readonly schema: MergeSchema;
  /** Whatever is printed fits the type: nothing else could be read. */
  readonly isTyped: boolean;
  /** As clients get it. May share with `object`, or be it. */
  print(object: JsonObject): JsonObject;
}
