import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { dataDirectory } from "../conformance/data-directory.ts";
import { bytes, heard, keepAll, show } from "../conformance/store-backend.ts";
import type { Store } from "../store.ts";
import { StoreCorruptError, StoreVersionError } from "../store-error.ts";
import { schemaVersion } from "./schema.ts";
import { openSqliteStore } from "./sqlite-store.ts";

function open(directory: string): Store {
  return openSqliteStore({ directory, compaction: keepAll });
}

function hash(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

test("a newer schema is refused, naming both versions, and left alone", async () => {
  const directory = dataDirectory();
  await open(directory).close();
  const file = join(directory, "store.db");
  {
    using db = new DatabaseSync(file);
    db.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
  }
  const before = hash(file);
  expect(() => open(directory)).toThrow(StoreVersionError);
  expect(() => open(directory)).toThrow(
    `${file} has schema version ${schemaVersion + 1}, this program reads up to version ${schemaVersion}; ` +
      "use a newer Homeostat, nothing was changed",
  );
  expect(hash(file)).toBe(before);
  {
    using db = new DatabaseSync(file);
    db.exec(`PRAGMA user_version = ${schemaVersion}`);
  }
  await open(directory).close();
});

test("a file that is no database is refused and left alone", () => {
  const directory = dataDirectory();
  const file = join(directory, "store.db");
  const content = Buffer.from("these are my notes, not a database\n".repeat(100));
  writeFileSync(file, content);
  expect(() => open(directory)).toThrow(StoreCorruptError);
  expect(() => open(directory)).toThrow(`${file} is damaged: file is not a database`);
  expect(readFileSync(file)).toEqual(content);
});

test("another program's database is refused and left alone", () => {
  const directory = dataDirectory();
  const file = join(directory, "store.db");
  {
    using db = new DatabaseSync(file);
    db.exec("CREATE TABLE log (mine TEXT); INSERT INTO log VALUES ('precious')");
  }
  const before = hash(file);
  expect(() => open(directory)).toThrow(StoreCorruptError);
  expect(() => open(directory)).toThrow("it is not a Homeostat store (application id 0, expected");
  expect(hash(file)).toBe(before);
});

test("a database cut in the middle is refused", async () => {
  const directory = dataDirectory();
  const store = open(directory);
  await store.create("a", Buffer.alloc(200_000, "value "));
  await store.close();
  const file = join(directory, "store.db");
  const content = readFileSync(file);
  writeFileSync(file, content.subarray(0, content.length >> 1));
  expect(() => open(directory)).toThrow(StoreCorruptError);
});

test("an empty file is a new store", async () => {
  const directory = dataDirectory();
  writeFileSync(join(directory, "store.db"), "");
  await using store = open(directory);
  expect(store.revision).toBe(0);
});

test("the file opens with any SQLite tool and says what it is", async () => {
  const directory = dataDirectory();
  const store = open(directory);
  await store.create("a", bytes("1"));
  await store.close();
  using db = new DatabaseSync(join(directory, "store.db"), { readOnly: true });
  expect(db.prepare("PRAGMA application_id").get()).toEqual({ application_id: 0x686f6d65 });
  expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: schemaVersion });
  expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
  expect(tables.all().map((row) => row["name"])).toEqual(["log", "meta"]);
  const indexes = db.prepare("SELECT count(*) AS count FROM sqlite_master WHERE type = 'index'");
  expect(indexes.get()).toEqual({ count: 0 });
});

/** Version 1 as it was: a row per change. */
function makeVersion1(file: string, options: { userVersion: number }): void {
  using db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE change (
      revision INTEGER, ordinal INTEGER, key TEXT, value BLOB, kind INTEGER,
      create_revision INTEGER, version INTEGER, expires_at INTEGER, PRIMARY KEY (revision, ordinal)
    );
    CREATE TABLE state (compact_revision INTEGER);
    INSERT INTO state VALUES (2);
    PRAGMA application_id = 1752132965;
    PRAGMA user_version = ${options.userVersion};
  `);
  const insert = db.prepare("INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const big = Buffer.alloc(700_000, "big ");
  insert.run(1, 0, "a", Buffer.from("1"), 0, 1, 1, null);
  insert.run(2, 0, "b", big, 0, 2, 1, 4_000_000_000_000);
  insert.run(3, 0, "a", Buffer.from("2"), 0, 1, 2, null);
  insert.run(3, 1, "__proto__", Buffer.from(""), 0, 3, 1, null);
  insert.run(4, 0, "c", big, 0, 4, 1, null);
  insert.run(5, 0, "c", null, 1, 0, 0, null);
}

test("version 1 becomes the present version: revisions, history, times to live", async () => {
  const directory = dataDirectory();
  makeVersion1(join(directory, "store.db"), { userVersion: 1 });
  const check = async (): Promise<void> => {
    await using store = open(directory);
    expect([store.revision, store.compactRevision]).toEqual([5, 2]);
    expect(show(store.get("a", { revision: 2 }))).toBe("a@1=1");
    expect(store.get("a")).toMatchObject({ revision: 3, createRevision: 1, version: 2 });
    expect(store.get("b")).toMatchObject({ revision: 2, expiresAt: 4_000_000_000_000 });
    expect(store.get("b")?.value.length).toBe(700_000);
    expect(store.get("c", { revision: 4 })?.value.length).toBe(700_000);
    const events = await heard(store.watch({ prefix: "", after: 2 }));
    expect(events.map((event) => event.slice(0, 30))).toEqual([
      "modified a@3=2 was a@1=1",
      "added __proto__@3= was nothing",
      "added c@4=big big big big big ",
      "deleted c@5 was c@4=big big bi",
    ]);
  };
  await check();
  await check();
});

test("version 1 keeps its revision where compaction had forgotten the last change", async () => {
  const directory = dataDirectory();
  const file = join(directory, "store.db");
  makeVersion1(file, { userVersion: 1 });
  {
    using db = new DatabaseSync(file);
    db.exec("DELETE FROM change WHERE revision > 3; UPDATE state SET compact_revision = 5");
  }
  for (const revision of [5, 6]) {
    await using store = open(directory);
    expect([store.revision, store.compactRevision]).toEqual([revision, 5]);
    expect(show(store.get("a"))).toBe("a@3=2");
    await store.create(`new ${revision}`, bytes("1"));
  }
});

test("a migration that fails changes nothing", () => {
  const directory = dataDirectory();
  const file = join(directory, "store.db");
  makeVersion1(file, { userVersion: 1 });
  {
    using db = new DatabaseSync(file);
    db.exec("DROP TABLE state");
  }
  expect(() => open(directory)).toThrow(/no such table: state/);
  using db = new DatabaseSync(file);
  expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
  expect(db.prepare("SELECT count(*) AS count FROM change").get()).toEqual({ count: 6 });
});
