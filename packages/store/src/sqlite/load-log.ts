import type { DatabaseSync } from "node:sqlite";
import { KeyVersion } from "../key-version.ts";
import type { Keyspace } from "../keyspace.ts";
import { StoreCorruptError } from "../store-error.ts";
import { type LogRecord, readRecords } from "./log-record.ts";
import { checksumOf, type LogRow, metaChecksum } from "./log-transaction.ts";

/** Where the log stands after loading. */
export interface LogExtent {
  /** Positions of the first row and of the row that the next commit writes. */
  readonly head: number;
  readonly next: number;
  /** Bytes of all records. */
  readonly bytes: number;
}

/**
 * Reads the whole log into an empty keyspace. Every row must stand at its place with its checksum,
 * and the log must reach `acknowledged`, and have a change for every revision after the compact
 * revision; otherwise throws StoreCorruptError.
 *
 * Records up to the compact revision are states: of several for a key the last one holds, since a
 * record is only ever moved behind others while it is its key's newest. Records after it are changes.
 */
export function loadLog(
  db: DatabaseSync,
  keyspace: Keyspace,
  options: { file: string; acknowledged: number },
): LogExtent {
  const { file } = options;
  const meta = db.prepare("SELECT head, compact_revision, checksum FROM meta").get();
  if (meta === undefined) throw new StoreCorruptError(file, "table meta has no row");
  const head = Number(meta["head"]);
  const compactRevision = Number(meta["compact_revision"]);
  if (metaChecksum(head, compactRevision) !== meta["checksum"]) {
    throw new StoreCorruptError(
      file,
      `table meta (head ${head}, compacted to ${compactRevision}) does not match its checksum`,
    );
  }
  const states = new Map<string, KeyVersion>();
  const changes: KeyVersion[] = [];
  let next = head;
  let bytes = 0;
  let revision = 0;
  const keep = (record: LogRecord, row: LogRow): void => {
    const version = new KeyVersion(record);
    keyspace.heap.place(version, row.records.subarray(record.valueStart, record.end));
    if (record.revision > compactRevision) {
      const last = changes.at(-1)?.revision ?? compactRevision;
      if (record.revision < last || record.revision > last + 1) {
        const detail = `after revision ${last} comes ${record.revision}`;
        throw new StoreCorruptError(file, `changes since its compaction are missing: ${detail}`);
      }
      changes.push(version);
      return;
    }
    const replaced = states.get(record.key);
    if (replaced !== undefined) keyspace.heap.release(replaced);
    if (version.deleted) states.delete(record.key);
    else states.set(record.key, version);
  };
  const select = db.prepare(
    "SELECT position, first_revision, last_revision, checksum, records FROM log ORDER BY position",
  );
  select.setReturnArrays(true);
  for (const values of select.iterate()) {
    const [position, firstRevision, lastRevision, checksum, records] =
      values as unknown as RowValues;
    const row = { position, firstRevision, lastRevision, records };
    if (position !== next) throw new StoreCorruptError(file, `log row ${next} is missing`);
    if (checksumOf(row) !== checksum) {
      throw new StoreCorruptError(
        file,
        `log row ${position} (revisions ${firstRevision} to ${lastRevision}) does not match its checksum`,
      );
    }
    for (const record of readRecords(records)) keep(record, row);
    next += 1;
    bytes += records.length;
    revision = Math.max(revision, lastRevision);
  }
  if (revision < compactRevision) {
    throw new StoreCorruptError(
      file,
      `it ends at revision ${revision}, but was compacted to ${compactRevision}`,
    );
  }
  if (revision < options.acknowledged) {
    throw new StoreCorruptError(
      file,
      `it ends at revision ${revision}, but ${options.acknowledged} was acknowledged`,
    );
  }
  keyspace.load({ revision, compactRevision, states: states.values(), changes });
  return { head, next, bytes };
}

type RowValues = [
  position: number,
  firstRevision: number,
  lastRevision: number,
  checksum: number,
  records: Uint8Array,
];
