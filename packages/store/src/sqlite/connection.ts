import { DatabaseSync } from "node:sqlite";

/**
 * A connection to the store's file, set up as every connection to it must be: a commit is on disk
 * when it returns, and checkpoints happen only when asked for, since SQLite's own ones would hold
 * the loop for tens of milliseconds.
 */
export function connect(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 2_000 });
  db.exec("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -2048");
  return db;
}
