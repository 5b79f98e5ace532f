import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Liveness } from "../commit-log.ts";
import { type LogRecord, readRecords } from "./log-record.ts";

/** What a cleaning step wants written along with the next commit. */
export interface Cleaning {
  /** The new head: all rows before it are done with. */
  readonly head: number;
  /** Bytes of the rows that go. */
  readonly removedBytes: number;
  /** Records of these rows that are still needed, to be written again before the commit's own. */
  readonly moved: readonly { readonly row: Uint8Array; readonly record: LogRecord }[];
}

/**
 * Keeps the log from growing for ever. Rows are taken from the head, oldest first: records that no
 * read can reach any more are dropped, the rest is written again at the tail. Like this a key's
 * records stand in the order they were made, and a deletion is dropped only when nothing older of
 * its key is left that could come back to life.
 *
 * A row has its turn when compaction has passed all its revisions; one that history still needs
 * stops the cleaning until compaction moves on. The row that tells the store's revision stays: a
 * commit either writes a newer one, or raises a compact revision that was below it.
 */
export class LogCleaner {
  readonly #select: StatementSync;
  readonly #liveness: Liveness;

  constructor(db: DatabaseSync, liveness: Liveness) {
    this.#select = db.prepare("SELECT last_revision, records FROM log WHERE position = ?");
    this.#liveness = liveness;
  }

  /** Looks at rows from `head` on, about `budget` bytes of them; undefined when none can go. */
  clean(log: {
    head: number;
    next: number;
    compactRevision: number;
    budget: number;
  }): Cleaning | undefined {
    const moved: { row: Uint8Array; record: LogRecord }[] = [];
    let { head } = log;
    let removedBytes = 0;
    while (removedBytes < log.budget && head < log.next - 1) {
      const values = this.#select.get(head);
      if (values === undefined || Number(values["last_revision"]) > log.compactRevision) break;
      const row = values["records"] as Uint8Array;
      const needed = this.#neededIn(row);
      if (needed === undefined) break;
      for (const record of needed) moved.push({ row, record });
      removedBytes += row.length;
      head += 1;
    }
    return removedBytes === 0 ? undefined : { head, removedBytes, moved };
  }

  /** The records to keep; undefined when history needs one that is not its key's newest. */
  #neededIn(row: Uint8Array): LogRecord[] | undefined {
    const needed: LogRecord[] = [];
    for (const record of readRecords(row)) {
      const liveness = this.#liveness.livenessOf(record.key, record.revision);
      if (liveness === "history") return undefined;
      if (liveness === "current") needed.push(record);
    }
    return needed;
  }
}
