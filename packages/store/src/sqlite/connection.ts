import { DatabaseSync } from "node:sqlite";

/**
 * A connection to the store's file, set up as every connection to it must be: a commit is on disk
 * when it returns, and checkpoints happen only when asked for, since SQLite's own ones would hold
 * the loop for tens of milliseconds. Unsynced, a commit is with the operating system instead.
 */
export function connect(file: string, { sync = true }: { sync?: boolean } = {}): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 2_000 });
  db.exec(`PRAGMA synchronous = ${sync ? "FULL" : "OFF"}`);
  db.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -2048");
  return db;
}
