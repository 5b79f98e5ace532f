import type { DatabaseSync } from "node:sqlite";
import { StoreCorruptError, StoreVersionError } from "../store-error.ts";
import { metaChecksum } from "./log-transaction.ts";
import { migrateRowsToBatches } from "./migrate-rows-to-batches.ts";

/**
 * The tables of `store.db`, and how older ones become these.
 *
 * `log` is append-only: a row is one commit's records (`log-record.ts`), positions count up without
 * a gap from `meta.head`. There is no index: everything is read once, at opening. Rows leave at the
 * head only, see `log-cleaner.ts`.
 *
 * Version 1 had a row per change. Version 2 has a row per commit: at 1,024 writes in flight that is
 * about half the CPU per write, opening reads whole commits, and a checksum guards each row.
 */
export const schemaVersion = 2;

/** Marks the file as ours: "home" in ASCII. */
const applicationId = 0x686f6d65;

/** 16 KiB pages hold a commit in few pages, and one page still syncs as fast as a smaller one. */
export const pageSize = 16_384;

const createTables = `
  CREATE TABLE log (
    position INTEGER PRIMARY KEY,
    first_revision INTEGER NOT NULL,
    last_revision INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    records BLOB NOT NULL
  ) STRICT;
  CREATE TABLE meta (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    head INTEGER NOT NULL,
    compact_revision INTEGER NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
`;

/** Each makes a database of its version (the index) into one of the next. */
const migrations: ReadonlyMap<number, (db: DatabaseSync) => void> = new Map([
  [1, migrateRowsToBatches],
]);

/** The version of a store's file; 0 when it is new. Throws where it is not ours, or newer. */
export function schemaVersionOf(db: DatabaseSync, file: string): number {
  const found = readNumber(db, "user_version");
  const owner = readNumber(db, "application_id");
  if (found === 0 && owner === 0 && readNumber(db, "schema_version") === 0) return 0;
  if (owner !== applicationId) {
    throw new StoreCorruptError(
      file,
      `it is not a Homeostat store (application id ${owner}, expected ${applicationId})`,
    );
  }
  if (found > schemaVersion) throw new StoreVersionError({ file, found, supported: schemaVersion });
  if (found === 0) throw new StoreCorruptError(file, "schema version 0 was never made");
  return found;
}

/** Brings the database to the present schema, or throws without having changed anything. */
export function prepareSchema(db: DatabaseSync, file: string): void {
  const found = schemaVersionOf(db, file);
  const isNew = found === 0;
  if (isNew) db.exec(`PRAGMA page_size = ${pageSize}`);
  db.exec("PRAGMA journal_mode = WAL");
  if (found === schemaVersion) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    if (isNew) {
      db.exec(createTables);
      db.prepare("INSERT INTO meta (id, head, compact_revision, checksum) VALUES (1, 1, 0, ?)").run(
        metaChecksum(1, 0),
      );
      db.exec(`PRAGMA application_id = ${applicationId}`);
    } else {
      for (let version = found; version < schemaVersion; version += 1) {
        const migrate = migrations.get(version);
        if (migrate === undefined)
          throw new StoreCorruptError(file, `schema version ${version} was never made`);
        migrate(db);
      }
    }
    db.exec(`PRAGMA user_version = ${schemaVersion}`);
    db.exec("COMMIT");
  } catch (error) {
    // SQLite has rolled back by itself where the disk was full.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function readNumber(db: DatabaseSync, pragma: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? { value: 0 })[0]);
}
