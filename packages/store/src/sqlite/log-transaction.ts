import type { DatabaseSync, StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { CommitFailedError } from "../store-error.ts";

/** One commit to the log as plain data: the loop and the worker write it with the same code. */
export interface LogTransaction {
  readonly rows: readonly LogRow[];
  /** Set together: the rows before `head` go, and `meta` takes both numbers. */
  readonly meta: { readonly head: number; readonly compactRevision: number } | undefined;
}

export interface LogRow {
  readonly position: number;
  readonly firstRevision: number;
  readonly lastRevision: number;
  readonly records: Uint8Array;
}

/** Guards a row's records, and that they stand in their place with their revisions. */
export function checksumOf(row: LogRow): number {
  return crc32(row.records, crc32(`${row.position} ${row.firstRevision} ${row.lastRevision}`));
}

/** Guards the row of `meta`. */
export function metaChecksum(head: number, compactRevision: number): number {
  return crc32(`${head} ${compactRevision}`);
}

/** Writes log transactions over one connection. A transaction is on disk when `write` returns. */
export class LogWriter {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #updateMeta: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insert = db.prepare(
      "INSERT INTO log (position, first_revision, last_revision, checksum, records) VALUES (?, ?, ?, ?, ?)",
    );
    this.#remove = db.prepare("DELETE FROM log WHERE position < ?");
    this.#updateMeta = db.prepare("UPDATE meta SET head = ?, compact_revision = ?, checksum = ?");
  }

  /** Throws CommitFailedError when nothing was written. */
  write(transaction: LogTransaction): void {
    const { rows, meta } = transaction;
    try {
      if (rows.length === 1 && meta === undefined) {
        this.insertRow(rows[0]!);
        return;
      }
      this.#db.exec("BEGIN IMMEDIATE");
      for (const row of rows) this.insertRow(row);
      if (meta !== undefined) {
        const { head, compactRevision } = meta;
        this.#remove.run(head);
        this.#updateMeta.run(head, compactRevision, metaChecksum(head, compactRevision));
      }
      this.#db.exec("COMMIT");
    } catch (error) {
      this.#rollBack();
      throw commitFailure(error);
    }
  }

  /** Within a transaction of the caller. */
  insertRow(row: LogRow): void {
    this.#insert.run(
      row.position,
      row.firstRevision,
      row.lastRevision,
      checksumOf(row),
      row.records,
    );
  }

  #rollBack(): void {
    if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
  }
}

/** The primary result code that SQLite gave, if the error is its. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** What SQL itself finds wrong, such as a table that is not there. */
export const sqliteError = 1;
export const sqliteBusy = 5;
export const sqliteCorrupt = 11;
export const sqliteNotADatabase = 26;
const sqliteFull = 13;

function commitFailure(error: unknown): CommitFailedError {
  const said = error instanceof Error ? error.message : String(error);
  switch (sqliteCode(error)) {
    case sqliteFull:
      return new CommitFailedError({
        reason: "disk-full",
        message: `nothing was written: the disk is full (${said}); free space and try again`,
        cause: error,
      });
    case sqliteBusy:
      return new CommitFailedError({
        reason: "busy",
        message: `nothing was written: another program holds a lock on the store's file (${said})`,
        cause: error,
      });
    default:
      return new CommitFailedError({
        reason: "io-failed",
        message: `the disk failed a commit, which may or may not be there later, and no more writes are taken: ${said}; look at the disk, then open the store again`,
        cause: error,
      });
  }
}
