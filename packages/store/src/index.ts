/**
 * A revisioned key-value store with watch. Start at `store.ts`, the seam; open one with
 * `openMemoryStore` or `openSqliteStore`. Both keep the same promises: an acknowledged write is as
 * durable as the backend says, the revision never goes back, and watchers hear every committed
 * change once and in order. The store knows keys, bytes and revisions, never Kubernetes.
 */
export type { CompactionPolicy } from "./compaction-policy.ts";
export { type MemoryStoreOptions, openMemoryStore } from "./memory/memory-store.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./sqlite/sqlite-store.ts";
export type {
  Checked,
  Deleted,
  DeleteOptions,
  KeyValue,
  ListOptions,
  ListPage,
  Operation,
  ReadOptions,
  Refused,
  Store,
  StoreEvent,
  StoreStatistics,
  TransactionResult,
  Unchanged,
  UpdateOptions,
  Watch,
  WatchBatch,
  WatchOptions,
  WriteOptions,
  WriteResult,
  Written,
} from "./store.ts";
export {
  CommitFailedError,
  RevisionAheadError,
  RevisionCompactedError,
  StoreClosedError,
  StoreCorruptError,
  StoreDirectoryError,
  StoreError,
  StoreLockedError,
  StoreVersionError,
  WatchOverflowError,
} from "./store-error.ts";
