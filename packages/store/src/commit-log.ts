import type { KeyVersion } from "./key-version.ts";

/**
 * The seam between a store and what makes its commits durable. A batch is durable as a whole or
 * not at all; batches arrive one at a time, in revision order.
 */
export interface CommitLog {
  /** How commits are written at present, for statistics. */
  readonly mode: "memory" | "loop" | "worker";

  /**
   * Makes the batch durable: already on return, or when the promise resolves. Throws or rejects
   * with CommitFailedError when it is not; unless that is fatal, nothing of it shows up later.
   */
  append(batch: CommitBatch): Promise<void> | undefined;

  /** Releases the files. Nothing is appended during or after it. */
  close(): Promise<void>;
}

export interface CommitBatch {
  /** The new versions in revision order; empty when only the compact revision changes. */
  readonly versions: readonly KeyVersion[];
  /** The store's revision after this batch. */
  readonly revision: number;
  /** The store's compact revision after this batch. */
  readonly compactRevision: number;
}

/** What a log may ask the store while it appends: whether it still has to keep an old version. */
export interface Liveness {
  /**
   * "current": the newest version of its key, and not a tombstone that compaction has passed.
   * "replaced": no read and no watch can reach it any more.
   * "history": replaced, but still within history.
   */
  livenessOf(key: string, revision: number): "current" | "replaced" | "history";
}
