/**
 * The store's seam: keys, bytes and revisions, never Kubernetes. One global revision counts every
 * committed change; each key knows the revision that created it, the one that last changed it, and
 * how often it was written. Reads are synchronous and see committed state only; writes are answered
 * when they are as durable as the backend promises; watchers hear committed writes only, in order.
 *
 * Two backends keep this contract, and one suite proves it on both: `openMemoryStore` and
 * `openSqliteStore`.
 */
export interface Store extends AsyncDisposable {
  /** The revision of the last committed change; 0 in a new store. Never goes back. */
  readonly revision: number;

  /** Reads and watches older than this are refused; 0 while nothing was compacted. */
  readonly compactRevision: number;

  /**
   * The key's state now, or at `revision`; undefined when it did not exist then.
   * Throws RevisionCompactedError or RevisionAheadError.
   */
  get(key: string, options?: ReadOptions): KeyValue | undefined;

  /** The keys under a prefix in key order, all from one revision. Throws as `get` does. */
  list(options: ListOptions): ListPage;

  /** Writes a key that must not exist. */
  create(key: string, value: Uint8Array, options?: WriteOptions): Promise<WriteResult>;

  /** Writes a key that must exist; equal bytes are no change. */
  update(key: string, value: Uint8Array, options?: UpdateOptions): Promise<WriteResult>;

  /** Removes a key that must exist. */
  delete(key: string, options?: DeleteOptions): Promise<WriteResult>;

  /**
   * Applies all operations at one revision, or none. A key may appear once.
   * Watchers get a transaction's events in one batch, in the order of the operations.
   */
  transaction(operations: readonly Operation[]): Promise<TransactionResult>;

  /** Every change under a prefix after a revision. See {@link Watch}. */
  watch(options: WatchOptions): Watch;

  /**
   * Calls `listener` with every change under a prefix inside its commit: after the state has
   * changed, before any reader, writer or watcher can see it. For indexes that reads must agree
   * with. The listener must be quick, must not throw and must not write. Returns what ends it.
   */
  observe(prefix: string, listener: (event: StoreEvent) => void): () => void;

  /**
   * Forgets how things were before `revision`: reads at it and watches after it still work, older
   * ones are refused. Throws RevisionAheadError; an already compacted revision is no change.
   */
  compact(revision: number): Promise<void>;

  /** What the store holds, for metrics and benchmarks. */
  statistics(): StoreStatistics;

  /** Waits for the writes under way, ends every watch, releases the files. Idempotent. */
  close(): Promise<void>;
}

/** One state of one key. Immutable, and readable until compaction forgets it. */
export interface KeyValue {
  readonly key: string;
  /**
   * The bytes: a view into memory that other values share. Never write to it, and use or copy it
   * before you await anything: the store may move the value with the next commit, after which this
   * view has length 0 (ask for `value` again). Throws RevisionCompactedError once a newer state has
   * replaced this one and compaction has passed that change.
   */
  readonly value: Uint8Array;
  /** The revision that made this state. */
  readonly revision: number;
  /** The revision that created the key. */
  readonly createRevision: number;
  /** 1 when created, one more with each write. */
  readonly version: number;
  /** Wall time in milliseconds at which the store will delete the key. */
  readonly expiresAt: number | undefined;
}

export interface ReadOptions {
  /** Read the state as of this revision. Default: the current one. */
  readonly revision?: number | undefined;
}

export interface ListOptions extends ReadOptions {
  /** Keys that start with this; "" lists everything. */
  readonly prefix: string;
  /** At most so many items. Default: no limit. */
  readonly limit?: number | undefined;
  /** Start after this key: the `next` of the page before. */
  readonly after?: string | undefined;
}

export interface ListPage {
  /** The revision all items were read at: pass it to the next page, and to `watch`. */
  readonly revision: number;
  readonly items: readonly KeyValue[];
  /** Set when more items follow: pass it as `after` together with `revision`. */
  readonly next: string | undefined;
  /** How many items follow this page. Counted when asked for: it takes a walk over all of them. */
  readonly remaining: number;
}

export interface WriteOptions {
  /** The store deletes the key after this many milliseconds. Each write sets it anew; none = kept. */
  readonly timeToLive?: number | undefined;
}

export interface DeleteOptions {
  /** Refuse ("stale") unless the key's revision is exactly this. Default: any. */
  readonly expectedRevision?: number | undefined;
}

export interface UpdateOptions extends WriteOptions, DeleteOptions {}

export type Operation =
  | ({ readonly type: "create"; readonly key: string; readonly value: Uint8Array } & WriteOptions)
  | ({ readonly type: "update"; readonly key: string; readonly value: Uint8Array } & UpdateOptions)
  | ({ readonly type: "delete"; readonly key: string } & DeleteOptions)
  /** Writes nothing; refuses the transaction unless the key's revision is this (0: absent). */
  | { readonly type: "check"; readonly key: string; readonly expectedRevision: number };

export type WriteResult = Written | Deleted | Unchanged | Refused;

export interface Written {
  readonly outcome: "created" | "updated";
  readonly revision: number;
  readonly current: KeyValue;
}

export interface Deleted {
  readonly outcome: "deleted";
  readonly revision: number;
  readonly previous: KeyValue;
}

/** The key already had these bytes: no revision was used and no watcher told. */
export interface Unchanged {
  readonly outcome: "unchanged";
  readonly revision: number;
  readonly current: KeyValue;
}

/** Nothing was written: create found the key, update or delete did not, or its revision differs. */
export interface Refused {
  readonly outcome: "refused";
  readonly reason: "exists" | "missing" | "stale";
  readonly key: string;
  /** What the store holds for the key. */
  readonly current: KeyValue | undefined;
}

export type TransactionResult =
  | {
      readonly outcome: "committed" | "unchanged";
      readonly revision: number;
      /** One per operation, in order. A passed check reports "checked". */
      readonly results: readonly (Written | Deleted | Unchanged | Checked)[];
    }
  | Refused;

export interface Checked {
  readonly outcome: "checked";
  readonly current: KeyValue | undefined;
}

export interface WatchOptions {
  /** Keys that start with this; "" watches everything. */
  readonly prefix: string;
  /** Deliver what happened after this revision. Default: from now on. */
  readonly after?: number | undefined;
  /**
   * How many undelivered events are kept for a consumer that does not keep up. One commit more
   * than this may be held; then the watch ends with WatchOverflowError. Default 1024.
   */
  readonly bufferSize?: number | undefined;
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The changes under a prefix, batch by batch: every change after the starting revision exactly once,
 * in revision order, the events of one revision never split over two batches. Iteration returns when
 * the consumer closes the watch or aborts its signal, and throws RevisionCompactedError,
 * RevisionAheadError, WatchOverflowError or StoreClosedError when it cannot go on.
 */
export interface Watch extends AsyncIterableIterator<WatchBatch, undefined>, AsyncDisposable {
  /**
   * Asks for a batch although nothing may have happened: after what is buffered, a batch without
   * events tells the revision up to which this watch is complete.
   */
  requestProgress(): void;

  /** Ends the watch; buffered events are dropped. Idempotent. */
  close(): void;
}

export interface WatchBatch {
  /**
   * Shared with other watchers: do not change it. May be empty: in an answer to `requestProgress`,
   * and where a stretch of replayed history did not concern this watch.
   */
  readonly events: readonly StoreEvent[];
  /** Everything up to this revision has been delivered: resume with `after: revision`. */
  readonly revision: number;
}

export interface StoreEvent {
  readonly type: "added" | "modified" | "deleted";
  readonly key: string;
  readonly revision: number;
  /** The new state; undefined when deleted. */
  readonly current: KeyValue | undefined;
  /** The state before; undefined when added. */
  readonly previous: KeyValue | undefined;
}

export interface StoreStatistics {
  readonly keys: number;
  /** Bytes of all values that can still be read, history included. */
  readonly valueBytes: number;
  /** Bytes of the blocks that hold them. */
  readonly heapBytes: number;
  /** Kept events, and bytes of the states that only history still needs. */
  readonly historyEvents: number;
  readonly historyBytes: number;
  readonly watchers: number;
  /** How commits are written; see the backend. */
  readonly commitMode: "memory" | "loop" | "worker";
}
