import type { FieldError, JsonObject } from "@homeostat/object-model";
import type { MergeSchema } from "@homeostat/schema";

/** What the schema of one version of a custom resource does to its objects. */
export interface VersionSchema {
  /** For server-side apply. */
  readonly mergeSchema: MergeSchema;
  /** Removes in place what the schema does not know, metadata apart; the paths of it, as found. */
  prune(object: JsonObject): readonly string[];
  /** In place; nulls where nothing may be null are dropped first. */
  applyDefaults(object: JsonObject): void;
  /** What is wrong with its values; `part` "status" looks at the status only. */
  validate(change: CustomChange): FieldError[];
  /** What is wrong with objects inside it, and with lists whose elements must differ. */
  validateParts(change: CustomChange): FieldError[];
  /** Whether the schema has rules of its own. */
  readonly hasRules: boolean;
  /** What they find wrong. */
  examine(change: CustomChange): Promise<FieldError[]>;
}

export interface CustomChange {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly part: "all" | "status";
}
