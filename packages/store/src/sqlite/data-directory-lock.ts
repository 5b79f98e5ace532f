import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreCorruptError, StoreLockedError } from "../store-error.ts";
import { sqliteBusy, sqliteCode, sqliteCorrupt, sqliteNotADatabase } from "./log-transaction.ts";

/**
 * One process per data directory. The lock is an open exclusive transaction on a database of its
 * own: the system drops it with the process, however that ends. `lock-holder.json` only tells who
 * holds it; it decides nothing and may be left over.
 */
export class DataDirectoryLock {
  readonly #db: DatabaseSync;

  /** Throws StoreLockedError, naming the holder, when another store has the directory open. */
  constructor(directory: string) {
    const holderFile = join(directory, "lock-holder.json");
    const lockFile = join(directory, "lock.db");
    this.#db = new DatabaseSync(lockFile, { timeout: 0 });
    try {
      this.#db.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      this.#db.close();
      const code = sqliteCode(error);
      if (code === sqliteBusy) throw new StoreLockedError(directory, describeHolder(holderFile));
      if (code === sqliteCorrupt || code === sqliteNotADatabase) {
        const detail = `${(error as Error).message} (it holds no data: it can be removed alone)`;
        throw new StoreCorruptError(lockFile, detail, { cause: error });
      }
      throw error;
    }
    try {
      writeFileSync(holderFile, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`);
    } catch {
      // A full disk, say: the lock holds without its name.
    }
  }

  release(): void {
    this.#db.close();
  }
}

function describeHolder(file: string): string {
  try {
    const holder: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof holder === "object" && holder !== null && "pid" in holder && "host" in holder) {
      return `process ${String(holder.pid)} on ${String(holder.host)}`;
    }
  } catch {
    // The holder has not written its name yet, or cannot.
  }
  return "another process (it has not told its name)";
}
