import type { JsonValue } from "@homeostat/object-model";
import type { FieldSet } from "./field-set.ts";
import type { MergeSchema } from "./merge-schema.ts";

/** What one manager owns, in which version of the kind. */
export interface ManagedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** By applying, and so given up by applying without it. */
  readonly applied: boolean;
}

/** By an identifier that tells managers apart. */
export type Managers = Map<string, ManagedSet>;

/** An object in one version of its kind. */
export interface VersionedValue {
  readonly apiVersion: string;
  readonly value: JsonValue;
  readonly schema: MergeSchema;
}

export interface MergeContext {
  /**
   * The object in another version; undefined where there is no such version any more. Throws
   * MergeValueError where it does not fit the type that it has there.
   */
  convert(object: VersionedValue, apiVersion: string): VersionedValue | undefined;
  /** Leaves of a set what may be owned in this version through this door. */
  filter(set: FieldSet, apiVersion: string): FieldSet;
}

/** One field that somebody else owns with another value. */
export interface Conflict {
  readonly manager: string;
  readonly path: readonly string[];
}

/** An apply would take fields from others and was not forced to. */
export class ApplyConflictError extends Error {
  override readonly name: string = "ApplyConflictError";
  readonly code = "apply-conflict";
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(`the apply conflicts with other managers on ${conflicts.length} fields`);
    this.conflicts = conflicts;
  }
}
