import type { DatabaseSync } from "node:sqlite";
import { KeyVersion } from "../key-version.ts";
import { SlabHeap } from "../slab-heap.ts";
import { RowWriter, recordBound } from "./log-record.ts";
import { LogWriter, metaChecksum } from "./log-transaction.ts";

/** Version 1: one row per change, `kind` 0 for a state and 1 for a deletion. */
const selectChanges =
  "SELECT revision, ordinal, key, value, kind, create_revision, version, expires_at FROM change ORDER BY revision, ordinal";

const rowBytes = 1024 * 1024;

/**
 * From version 1 to 2. The changes keep their revisions; `state` of version 1 held the compact
 * revision. Runs inside the caller's transaction: a kill in the middle leaves version 1.
 */
export function migrateRowsToBatches(db: DatabaseSync): void {
  const compactRevision = Number(
    db.prepare("SELECT compact_revision FROM state").get()?.["compact_revision"] ?? 0,
  );
  db.exec(`
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
  `);
  const insert = new LogWriter(db);
  const heap = new SlabHeap();
  let position = 0;
  let lastRevision = 0;
  let writer: RowWriter | undefined;
  const close = (): void => {
    if (writer === undefined) return;
    position += 1;
    insert.insertRow({ position, ...writer.revisions, records: writer.records() });
    writer = undefined;
  };
  for (const values of db.prepare(selectChanges).iterate()) {
    const isDeleted = values["kind"] === 1;
    const version = new KeyVersion({
      key: String(values["key"]),
      revision: Number(values["revision"]),
      createRevision: isDeleted ? 0 : Number(values["create_revision"]),
      version: isDeleted ? 0 : Number(values["version"]),
      expiresAt: values["expires_at"] === null ? undefined : Number(values["expires_at"]),
    });
    heap.place(version, isDeleted ? new Uint8Array() : (values["value"] as Uint8Array));
    const bytes = recordBound(version);
    if (writer !== undefined && writer.room < bytes) close();
    writer ??= new RowWriter(new ArrayBuffer(Math.max(bytes, rowBytes)));
    writer.write(version);
    lastRevision = version.revision;
    heap.release(version);
  }
  close();
  if (lastRevision < compactRevision) {
    // Version 1 forgot compacted deletions whole; a log tells the last revision by a row.
    position += 1;
    const revisions = { firstRevision: compactRevision, lastRevision: compactRevision };
    insert.insertRow({ position, ...revisions, records: new Uint8Array() });
  }
  db.prepare("INSERT INTO meta (id, head, compact_revision, checksum) VALUES (1, 1, ?, ?)").run(
    compactRevision,
    metaChecksum(1, compactRevision),
  );
  db.exec("DROP TABLE change; DROP TABLE state");
}
