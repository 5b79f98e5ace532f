import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreLockedError } from "../store-error.ts";
import { sqliteBusy, sqliteCode } from "./log-transaction.ts";

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
    this.#db = new DatabaseSync(join(directory, "lock.db"), { timeout: 0 });
    try {
      this.#db.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      this.#db.close();
      if (sqliteCode(error) === sqliteBusy)
        throw new StoreLockedError(directory, describeHolder(holderFile));
      throw error;
    }
    writeFileSync(holderFile, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`);
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
