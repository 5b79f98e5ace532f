import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Clock, realClock } from "@homeostat/concurrency";
import type { CompactionPolicy } from "../compaction-policy.ts";
import { Keyspace } from "../keyspace.ts";
import { livenessIn, RevisionedStore } from "../revisioned-store.ts";
import type { Store } from "../store.ts";
import { StoreCorruptError, StoreDirectoryError } from "../store-error.ts";
import { connect } from "./connection.ts";
import { makeDirectory, syncPath } from "./data-directory.ts";
import { DataDirectoryLock } from "./data-directory-lock.ts";
import { type LogExtent, loadLog } from "./load-log.ts";
import { recordOverhead } from "./log-record.ts";
import { sqliteCode, sqliteCorrupt, sqliteError, sqliteNotADatabase } from "./log-transaction.ts";
import { prepareSchema, schemaVersion, schemaVersionOf } from "./schema.ts";
import { SqliteLog } from "./sqlite-log.ts";
import { readWatermark, Watermark } from "./watermark.ts";

export interface SqliteStoreOptions {
  /** The data directory; made when it does not exist. One process at a time can have it open. */
  readonly directory: string;
  /** Default: the real clock. */
  readonly clock?: Clock;
  readonly compaction?: CompactionPolicy;
  /**
   * Where commits are written: on the loop, in a worker thread, or ("auto", the default) on the
   * loop until its median commit takes more than a millisecond.
   */
  readonly commitMode?: "auto" | "loop" | "worker";
  /**
   * false: what was acknowledged survives the end of the process, not a power loss. For tests.
   * Default: true.
   */
  readonly sync?: boolean;
}

/**
 * Opens a durable store: an acknowledged write has been synced to disk and survives SIGKILL and
 * power loss. Throws StoreDirectoryError, StoreLockedError, StoreVersionError or StoreCorruptError;
 * the directory is then as it was.
 */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  const directory = resolve(options.directory);
  const sync = options.sync ?? true;
  makeDirectory(directory, { sync });
  using opening = new DisposableStack();
  const lock = new DataDirectoryLock(directory);
  opening.defer(() => lock.release());
  const file = join(directory, "store.db");
  const keyspace = new Keyspace();
  const loading = { file, acknowledged: readWatermark(join(directory, "acknowledged")) };
  const { db, extent } = namingDamage(file, () => {
    const loaded = loadUnchanged(keyspace, loading);
    const connection = connect(file, { sync });
    opening.defer(() => connection.close());
    prepareSchema(connection, file);
    return { db: connection, extent: loaded ?? loadLog(connection, keyspace, loading) };
  });
  const watermark = new Watermark(join(directory, "acknowledged"));
  opening.defer(() => watermark.close());
  if (sync) syncPath(directory);
  // A killed process may have written a commit and not synced it: who reads it now may rely on it.
  const walBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (sync && walBytes > 0) syncPath(`${file}-wal`);
  const clock = options.clock ?? realClock;
  const log = new SqliteLog({
    clock,
    db,
    file,
    extent,
    walBytes,
    compactRevision: keyspace.compactRevision,
    watermark,
    liveness: livenessIn(keyspace),
    neededBytes: () => {
      const versions = keyspace.size + keyspace.history.length;
      return keyspace.heap.liveBytes + keyspace.keyUnits + versions * recordOverhead;
    },
    shortenHistory: () => void store.compact(keyspace.history.middle()).catch(() => undefined),
    commitMode: options.commitMode ?? "auto",
    sync,
  });
  const store: Store = new RevisionedStore({
    clock,
    keyspace,
    log: {
      get mode() {
        return log.mode;
      },
      append: (batch) => log.append(batch),
      close: () => log.close().finally(() => open.dispose()),
    },
    compaction: options.compaction ?? {},
  });
  const open = opening.move();
  return store;
}

/**
 * Loads a store of the present version over a connection that cannot write: one that can moves the
 * write-ahead log into the database when it closes, up to where it is damaged, and removes the rest.
 * Undefined when the schema is to be prepared first.
 */
function loadUnchanged(
  keyspace: Keyspace,
  loading: { file: string; acknowledged: number },
): LogExtent | undefined {
  const { file, acknowledged } = loading;
  // A journal is left by a kill in the middle of making the schema; only a writer can undo that.
  if (existsSync(`${file}-journal`)) return undefined;
  const isMade = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
  using reader = isMade ? new DatabaseSync(file, { readOnly: true }) : undefined;
  const version = reader === undefined ? 0 : schemaVersionOf(reader, file);
  if (version === 0 && acknowledged > 0) {
    throw new StoreCorruptError(file, `it is empty, but revision ${acknowledged} was acknowledged`);
  }
  if (reader === undefined || version === 0) return undefined;
  const extent = version === schemaVersion ? loadLog(reader, keyspace, loading) : undefined;
  checkPages(reader, file);
  return extent;
}

/**
 * Throws StoreCorruptError where the pages do not fit together. Checksums guard what is read; this
 * guards what only writing relies on (which bytes of a page and which pages are free), where damage
 * would let a commit overwrite others.
 */
function checkPages(db: DatabaseSync, file: string): void {
  const [finding] = db.prepare("PRAGMA quick_check(1)").all();
  const text = String(finding?.["quick_check"]);
  if (text !== "ok") throw new StoreCorruptError(file, text.replace(/^\*{3}.*\*{3}\n/, ""));
}

/** SQLite's own findings of damage become ours; tables other than we made are damage too. */
function namingDamage<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = sqliteCode(error);
    if (code === sqliteCorrupt || code === sqliteNotADatabase || code === sqliteError) {
      throw new StoreCorruptError(file, (error as Error).message, { cause: error });
    }
    if (code !== undefined) throw new StoreDirectoryError(dirname(file), error as Error);
    throw error;
  }
}
