import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { dataDirectory } from "../conformance/data-directory.ts";
import { CommitFailedError } from "../store-error.ts";
import { checksumOf, type LogRow, LogWriter } from "./log-transaction.ts";
import { prepareSchema } from "./schema.ts";

function openDatabase(): { file: string; db: DatabaseSync; writer: LogWriter } {
  const file = join(dataDirectory(), "store.db");
  const db = new DatabaseSync(file, { timeout: 0 });
  onTestFinished(() => db.close());
  prepareSchema(db, file);
  return { file, db, writer: new LogWriter(db) };
}

function row(position: number, size = 10): LogRow {
  const records = new Uint8Array(Buffer.alloc(size, position));
  return { position, firstRevision: position * 10, lastRevision: position * 10 + 5, records };
}

function rowsIn(db: DatabaseSync): string[] {
  const select = db.prepare("SELECT position, length(records) AS size FROM log ORDER BY position");
  return select.all().map((each) => `${String(each["position"])}: ${String(each["size"])}`);
}

function failureOf(write: () => void): unknown {
  try {
    write();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("a transaction writes its rows, and with a new head the rows before it go", () => {
  const { db, writer } = openDatabase();
  writer.write({ rows: [row(1)], meta: undefined });
  writer.write({ rows: [row(2), row(3)], meta: undefined });
  expect(rowsIn(db)).toEqual(["1: 10", "2: 10", "3: 10"]);
  writer.write({ rows: [row(4, 20)], meta: { head: 3, compactRevision: 15 } });
  expect(rowsIn(db)).toEqual(["3: 10", "4: 20"]);
  expect(db.prepare("SELECT head, compact_revision FROM meta").get()).toEqual({
    head: 3,
    compact_revision: 15,
  });
});

test("a lock that another program holds is told, nothing is written, and the next try works", () => {
  const { file, db, writer } = openDatabase();
  using other = new DatabaseSync(file);
  other.exec("BEGIN IMMEDIATE");
  for (const rows of [[row(1)], [row(1), row(2)]]) {
    const failure = failureOf(() => writer.write({ rows, meta: undefined }));
    expect(failure).toBeInstanceOf(CommitFailedError);
    expect(failure).toMatchObject({ code: "store-busy", fatal: false });
    expect(String(failure)).toMatch(/nothing was written: another program holds a lock/);
  }
  other.exec("ROLLBACK");
  expect(rowsIn(db)).toEqual([]);
  writer.write({ rows: [row(1)], meta: undefined });
  expect(rowsIn(db)).toEqual(["1: 10"]);
});

test("a full disk is told, the transaction is rolled back whole, and the next try works", () => {
  const { db, writer } = openDatabase();
  writer.write({ rows: [row(1)], meta: undefined });
  const pages = Number(db.prepare("PRAGMA page_count").get()?.["page_count"]);
  db.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const large = { rows: [row(2), row(3, 1_000_000)], meta: { head: 2, compactRevision: 15 } };
  const failure = failureOf(() => writer.write(large));
  expect(failure).toBeInstanceOf(CommitFailedError);
  expect(failure).toMatchObject({ code: "store-disk-full", fatal: false });
  expect(String(failure)).toMatch(/the disk is full .*; free space and try again/);
  expect(rowsIn(db)).toEqual(["1: 10"]);
  expect(db.prepare("SELECT head FROM meta").get()).toEqual({ head: 1 });
  const alone = failureOf(() => writer.write({ rows: [row(2, 1_000_000)], meta: undefined }));
  expect(alone).toMatchObject({ code: "store-disk-full" });
  expect(rowsIn(db)).toEqual(["1: 10"]);
  db.exec("PRAGMA max_page_count = 1000000");
  writer.write(large);
  expect(rowsIn(db)).toEqual(["2: 10", "3: 1000000"]);
});

test("anything else that goes wrong is fatal, with its cause", () => {
  const { db, writer } = openDatabase();
  writer.write({ rows: [row(1)], meta: undefined });
  const failure = failureOf(() => writer.write({ rows: [row(2), row(1)], meta: undefined }));
  expect(failure).toMatchObject({ code: "store-io-failed", fatal: true });
  expect((failure as CommitFailedError).cause).toBeInstanceOf(Error);
  expect(rowsIn(db)).toEqual(["1: 10"]);
});

test("a row's checksum depends on its place, its revisions and its bytes", () => {
  const base = row(7);
  const others = [
    row(8),
    { ...base, position: 8 },
    { ...base, firstRevision: 71 },
    { ...base, lastRevision: 76 },
    { ...base, records: row(6).records },
    { ...base, records: base.records.subarray(1) },
  ];
  expect(new Set([base, ...others].map(checksumOf)).size).toBe(7);
  expect(checksumOf({ ...base, records: Uint8Array.from(base.records) })).toBe(checksumOf(base));
});
