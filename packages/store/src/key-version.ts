import { nowhere, type Resident, released, type Slab } from "./slab-heap.ts";
import type { KeyValue, StoreEvent } from "./store.ts";
import { RevisionCompactedError } from "./store-error.ts";

/**
 * One state of one key, or its tombstone (version 0, no bytes). The states that history still
 * needs hang behind the newest one, newest first:
 *
 *     create a@3, update a@5, delete a@9, compact(4)      9 (tombstone) -> 5 -> 3
 *     compact(5)                                          9 (tombstone) -> 5
 *     compact(9)                                          nothing: the key is forgotten
 */
export class KeyVersion implements KeyValue, Resident {
  readonly key: string;
  readonly revision: number;
  readonly createRevision: number;
  readonly version: number;
  readonly expiresAt: number | undefined;
  /** Set when committed; cut when compaction reaches this revision. */
  previous: KeyVersion | undefined = undefined;

  // The place of the bytes, kept by the slab heap.
  slab: Slab = nowhere;
  offset = 0;
  length = 0;

  constructor(state: Omit<KeyValue, "value">) {
    this.key = state.key;
    this.revision = state.revision;
    this.createRevision = state.createRevision;
    this.version = state.version;
    this.expiresAt = state.expiresAt;
  }

  get deleted(): boolean {
    return this.version === 0;
  }

  get value(): Uint8Array {
    if (this.slab === released) throw new RevisionCompactedError(this.revision);
    return this.slab.bytes.subarray(this.offset, this.offset + this.length);
  }
}

/** The event that made `version` the newest state of its key. */
export function eventOf(version: KeyVersion): StoreEvent {
  const previous = version.previous?.deleted ? undefined : version.previous;
  if (version.deleted) {
    return {
      type: "deleted",
      key: version.key,
      revision: version.revision,
      current: undefined,
      previous,
    };
  }
  const type = version.version === 1 ? "added" : "modified";
  return { type, key: version.key, revision: version.revision, current: version, previous };
}
