import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { dataDirectory } from "../conformance/data-directory.ts";
import { bytes, keepAll, show } from "../conformance/store-backend.ts";
import type { Store } from "../store.ts";
import { StoreCorruptError } from "../store-error.ts";
import { metaChecksum } from "./log-transaction.ts";
import { pageSize } from "./schema.ts";
import { openSqliteStore } from "./sqlite-store.ts";

function open(directory: string): Store {
  return openSqliteStore({ directory, compaction: keepAll });
}

/** A closed store of six commits, compacted to its second revision. */
async function someStore(): Promise<string> {
  const directory = dataDirectory();
  await using store = open(directory);
  await store.create("a", bytes("the first value"));
  await store.create("b", bytes("the second value"));
  await store.update("a", bytes("the third value"));
  await store.delete("b");
  await store.create("c", bytes("the fifth value"));
  await store.create("d", bytes("the sixth value"));
  await store.compact(2);
  return directory;
}

/** Changes the file behind the store's back; `meta` fits its checksum again unless told otherwise. */
function edit(directory: string, sql: string, options = { guardMeta: true }): void {
  using db = new DatabaseSync(join(directory, "store.db"));
  db.exec(sql);
  const meta = db.prepare("SELECT head, compact_revision FROM meta").get();
  if (meta === undefined || !options.guardMeta) return;
  const checksum = metaChecksum(Number(meta["head"]), Number(meta["compact_revision"]));
  db.prepare("UPDATE meta SET checksum = ?").run(checksum);
}

/** Hashes of the files that hold something; SQLite makes `-shm`, and an empty `-wal`, as it likes. */
function fingerprint(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.startsWith("store.db") || name === "acknowledged")
    .map((name) => ({ name, content: readFileSync(join(directory, name)) }))
    .filter(({ name, content }) => !name.endsWith("-shm") && content.length > 0)
    .map(({ name, content }) => `${name} ${createHash("sha256").update(content).digest("hex")}`);
}

/** What opening finds; it must find the same again, and leave the files as they are. */
function refusal(directory: string): string {
  const before = fingerprint(directory);
  const found = [1, 2].map(() => {
    const error = thrownBy(() => open(directory));
    expect(error).toBeInstanceOf(StoreCorruptError);
    const { message } = error as StoreCorruptError;
    expect(message).toMatch(/\. Nothing was changed; restore the data directory from a copy/);
    return /is damaged: (.*)\. Nothing was changed/.exec(message)![1]!;
  });
  expect(found[1]).toBe(found[0]);
  expect(fingerprint(directory)).toEqual(before);
  return found[0]!;
}

function thrownBy(read: () => unknown): unknown {
  try {
    read();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("an undamaged store opens: the tests below damage what works", async () => {
  const directory = await someStore();
  await using store = open(directory);
  expect([store.revision, store.compactRevision]).toEqual([6, 2]);
  expect(store.list({ prefix: "", revision: 2 }).items.map(show)).toEqual([
    "a@1=the first value",
    "b@2=the second value",
  ]);
});

test("a flipped byte in a value is found, named with its row and revisions, and left alone", async () => {
  const directory = await someStore();
  const file = join(directory, "store.db");
  const content = readFileSync(file);
  content[content.indexOf("the fifth value") + 4]! ^= 1;
  writeFileSync(file, content);
  expect(refusal(directory)).toBe("log row 5 (revisions 5 to 5) does not match its checksum");
  expect(() => open(directory)).toThrow(
    `${file} is damaged: log row 5 (revisions 5 to 5) does not match its checksum. Nothing was changed; ` +
      "restore the data directory from a copy, or move it away to start empty",
  );
});

test("a page that takes used bytes for free is refused, before a commit overwrites them", async () => {
  const directory = await someStore();
  const file = join(directory, "store.db");
  const content = readFileSync(file);
  // Where the cells of the log's first page begin: nothing but an insertion reads it.
  content.writeUInt16BE(content.readUInt16BE(pageSize + 5) + 128, pageSize + 5);
  writeFileSync(file, content);
  expect(refusal(directory)).toMatch(/^Tree 2 page 2 cell 5: Offset/);
});

test.for([
  ["a missing row in the middle", "DELETE FROM log WHERE position = 3", "log row 3 is missing"],
  ["a missing first row", "DELETE FROM log WHERE position = 1", "log row 1 is missing"],
  [
    "a missing last row, which was acknowledged",
    "DELETE FROM log WHERE position = 6",
    "it ends at revision 5, but 6 was acknowledged",
  ],
  ["an emptied log", "DELETE FROM log", "it ends at revision 0, but was compacted to 2"],
  [
    "rows that changed places",
    "UPDATE log SET position = -position; UPDATE log SET position = CASE position WHEN -4 THEN 5 WHEN -5 THEN 4 ELSE -position END",
    "log row 4 (revisions 5 to 5) does not match its checksum",
  ],
  [
    "a row with another revision",
    "UPDATE log SET last_revision = 7 WHERE position = 6",
    "log row 6 (revisions 6 to 7) does not match its checksum",
  ],
  [
    "a row with other records",
    "UPDATE log SET records = (SELECT records FROM log WHERE position = 1) WHERE position = 6",
    "log row 6 (revisions 6 to 6) does not match its checksum",
  ],
  [
    "a row that is empty",
    "UPDATE log SET records = x'' WHERE position = 6",
    "log row 6 (revisions 6 to 6) does not match its checksum",
  ],
  ["a head before the first row", "UPDATE meta SET head = 0", "log row 0 is missing"],
  ["a head behind the first row", "UPDATE meta SET head = 2", "log row 2 is missing"],
  [
    "a compact revision behind the end of the log",
    "UPDATE meta SET compact_revision = 1000",
    "it ends at revision 6, but was compacted to 1000",
  ],
  ["no head at all", "DELETE FROM meta", "table meta has no row"],
  ["a table that is gone", "DROP TABLE log", "no such table: log"],
] as const)("%s is found and left alone", async ([, sql, detail]) => {
  const directory = await someStore();
  edit(directory, sql);
  expect(refusal(directory)).toBe(detail);
});

test("a compact revision that was changed is found and left alone", async () => {
  const directory = await someStore();
  edit(directory, "UPDATE meta SET compact_revision = 3", { guardMeta: false });
  expect(refusal(directory)).toBe(
    "table meta (head 1, compacted to 3) does not match its checksum",
  );
});

test("a compact revision before changes that the log no longer has is found and left alone", async () => {
  const directory = dataDirectory();
  const store = open(directory);
  const value = (index: number) => Buffer.alloc(1024 * 1024, `value ${index} `);
  await store.create("a", value(0));
  for (let index = 1; index < 26; index += 1) await store.update("a", value(index));
  await store.compact(24);
  for (let index = 26; index < 29; index += 1) await store.update("a", value(index));
  await store.close();
  edit(directory, "UPDATE meta SET compact_revision = 1");
  expect(refusal(directory)).toMatch(
    /changes since its compaction are missing: after revision 1 comes \d+/,
  );
});

test("a log cut behind the acknowledged revision is found, also when its end is a whole commit", async () => {
  const directory = await someStore();
  const copy = readFileSync(join(directory, "store.db"));
  {
    await using store = open(directory);
    await store.create("e", bytes("the seventh value"));
  }
  writeFileSync(join(directory, "store.db"), copy);
  expect(refusal(directory)).toBe("it ends at revision 6, but 7 was acknowledged");
});

test("a watermark that lags, is damaged or gone does not keep a whole log from opening", async () => {
  const directory = await someStore();
  const file = join(directory, "acknowledged");
  const lagging = readFileSync(file);
  {
    await using store = open(directory);
    await store.create("e", bytes("the seventh value"));
  }
  for (const content of [lagging, Buffer.from("garbage"), Buffer.alloc(0)]) {
    writeFileSync(file, content);
    await using store = open(directory);
    expect(store.revision).toBe(7);
  }
});

/** What a process that is killed leaves behind: the write-ahead log is not in the database yet. */
async function killedStore(): Promise<string> {
  const directory = dataDirectory();
  await using store = openSqliteStore({ directory, compaction: keepAll, commitMode: "loop" });
  for (const key of ["a", "b", "c", "d"]) await store.create(key, bytes(`the value of ${key}`));
  const copy = dataDirectory();
  cpSync(directory, copy, { recursive: true });
  rmSync(join(copy, "store.db-shm"));
  return copy;
}

test("a write-ahead log that was left behind is read whole", async () => {
  const directory = await killedStore();
  await using store = open(directory);
  expect(store.list({ prefix: "" }).items.map(show)).toEqual([
    "a@1=the value of a",
    "b@2=the value of b",
    "c@3=the value of c",
    "d@4=the value of d",
  ]);
});

test("a write-ahead log that is damaged or cut behind acknowledged writes is found and left alone", async () => {
  const flipped = await killedStore();
  const file = join(flipped, "store.db-wal");
  const content = readFileSync(file);
  content[content.lastIndexOf("the value of c")]! ^= 1;
  writeFileSync(file, content);
  expect(refusal(flipped)).toBe("it ends at revision 3, but 4 was acknowledged");

  const cut = await killedStore();
  const wal = readFileSync(join(cut, "store.db-wal"));
  writeFileSync(join(cut, "store.db-wal"), wal.subarray(0, wal.length - 100));
  expect(refusal(cut)).toBe("it ends at revision 3, but 4 was acknowledged");

  const gone = await killedStore();
  rmSync(join(gone, "store.db-wal"));
  expect(refusal(gone)).toBe("it is empty, but revision 4 was acknowledged");
  rmSync(join(gone, "store.db"));
  expect(refusal(gone)).toBe("it is empty, but revision 4 was acknowledged");
});

test("a journal beside a whole store does not make it look empty", async () => {
  const directory = await someStore();
  writeFileSync(join(directory, "store.db-journal"), "");
  await using store = open(directory);
  expect(store.revision).toBe(6);
});
