import type { WorkSteps } from "@homeostat/cel";
import type { FieldError, JsonObject } from "@homeostat/object-model";
import type { MergeSchema } from "@homeostat/schema";

/** What the schema of one version of a custom resource does to its objects. */
export interface VersionSchema {
  /** For server-side apply. */
  readonly mergeSchema: MergeSchema;
  /**
   * Removes in place what the schema does not know, its own metadata apart, and nulls where nothing may
   * be null; the paths of what it did not know. Throws ObjectDecodeError for a resource inside whose
   * metadata is none; where that is stored already it is `lenient` and drops it.
   */
  prune(object: JsonObject, options?: { readonly lenient?: boolean }): WorkSteps<readonly string[]>;
  /** In place. */
  applyDefaults(object: JsonObject): WorkSteps<void>;
  /** What is wrong with its values; `part` "status" looks at the status only. */
  validate(change: CustomChange): WorkSteps<FieldError[]>;
  /** What is wrong with objects inside it, and with lists whose elements must differ. */
  validateParts(change: CustomChange): WorkSteps<FieldError[]>;
  /** Whether the schema has rules of its own. */
  readonly hasRules: boolean;
  /** What they find wrong. */
  examine(change: CustomChange, turns: ExaminationTurns): Promise<FieldError[]>;
}

/** What an examination needs of its surroundings. */
interface ExaminationTurns {
  /** Gives others a turn. */
  readonly breathe: () => Promise<void>;
  /** Tells the client what does not hold up the write. */
  readonly warn: (text: string) => void;
}

export interface CustomChange {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly part: "all" | "status";
}
