import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { seededRandom } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { dataDirectory } from "../conformance/data-directory.ts";
import { keepAll } from "../conformance/store-backend.ts";
import type { Store } from "../store.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const mebibyte = 1024 * 1024;

function extentOf(directory: string): { rows: number; bytes: number; head: number } {
  using db = new DatabaseSync(join(directory, "store.db"), { readOnly: true });
  const log = db.prepare("SELECT count(*) AS rows, sum(length(records)) AS bytes FROM log").get()!;
  const head = Number(db.prepare("SELECT head FROM meta").get()!["head"]);
  return { rows: Number(log["rows"]), bytes: Number(log["bytes"]), head };
}

function contentsOf(store: Store): Map<string, string> {
  return new Map(
    store.list({ prefix: "" }).items.map((state) => {
      const { revision, createRevision, version, expiresAt } = state;
      const text = Buffer.from(state.value).toString("latin1", 0, 24);
      return [state.key, `${revision} ${createRevision} ${version} ${expiresAt} ${text}`] as const;
    }),
  );
}

function value(text: string): Buffer {
  return Buffer.alloc(32 * 1024, `${text} `);
}

test.for([
  ["loop", 60],
  ["worker", 60],
] as const)(
  "under steady updates the log stays bounded and loses nothing, mode %s",
  async ([commitMode, rounds]) => {
    const directory = dataDirectory();
    const random = seededRandom(`cleaning ${commitMode}`);
    const open = () =>
      openSqliteStore({ directory, commitMode, compaction: { maxAge: 0, maxEvents: 200 } });
    let store = open();
    let largest = 0;
    let written = 0;
    for (let index = 0; index < 40; index += 1) {
      await store.create(`cold ${index}`, value(`cold ${index}`), { timeToLive: 1e9 });
    }
    for (let round = 0; round < rounds; round += 1) {
      const writing: Promise<unknown>[] = [];
      for (let hot = 0; hot < 32; hot += 1) {
        const key = `hot ${random.below(40)}`;
        const text = value(`${round} ${hot}`);
        const fate = random.below(10);
        if (fate === 0) writing.push(store.delete(key));
        else if (fate < 3) writing.push(store.create(key, text));
        else writing.push(store.update(key, text));
        written += text.length;
      }
      if (round % 8 === 3) writing.push(store.delete(`cold ${round % 40}`));
      await Promise.all(writing);
      if (round % 10 === 9) largest = Math.max(largest, extentOf(directory).bytes);
      if (round % 20 !== 15) continue;
      const kept = contentsOf(store);
      await store.close();
      store = open();
      expect(contentsOf(store)).toEqual(kept);
    }
    const before = contentsOf(store);
    await store.close();
    const { revision, compactRevision } = store;
    const { head, rows } = extentOf(directory);
    expect(written).toBeGreaterThan(40 * mebibyte);
    expect(head).toBeGreaterThan(10);
    expect(rows).toBeLessThan(head);
    expect(largest).toBeLessThan(36 * mebibyte);
    await using again = open();
    expect([again.revision, again.compactRevision]).toEqual([revision, compactRevision]);
    expect(contentsOf(again)).toEqual(before);
    expect(again.get("cold 0")).toMatchObject({ revision: 1, createRevision: 1, version: 1 });
    expect(again.get("cold 3")).toBeUndefined();
    const history = await again.watch({ prefix: "", after: compactRevision }).next();
    expect(history.value?.events.length).toBe(again.statistics().historyEvents);
  },
);

test("deleted keys do not come back when their rows are cleaned away", async () => {
  const directory = dataDirectory();
  const open = () => openSqliteStore({ directory, commitMode: "loop", compaction: keepAll });
  let store = open();
  const big = (text: string) => Buffer.alloc(mebibyte, text);
  await store.create("early", big("a"));
  await store.create("again", big("a"));
  await store.create("kept", big("a"));
  await store.delete("early");
  await store.delete("again");
  await store.create("again", big("b"));
  for (let round = 0; round < 30; round += 1) {
    await store.create(`k${round}`, big("c"));
    await store.delete(`k${round}`);
  }
  await store.compact(store.revision);
  const headsBefore = extentOf(directory).head;
  for (let round = 0; round < 8; round += 1) {
    await store.update("again", big(`d${round}`));
    await store.compact(store.revision);
    const names = store.list({ prefix: "" }).items.map(({ key }) => key);
    expect(names).toEqual(["again", "kept"]);
    const { revision, compactRevision } = store;
    await store.close();
    store = open();
    expect([store.revision, store.compactRevision]).toEqual([revision, compactRevision]);
    expect(store.list({ prefix: "" }).items.map(({ key }) => key)).toEqual(["again", "kept"]);
    expect(store.get("kept")).toMatchObject({ revision: 3, createRevision: 3, version: 1 });
  }
  await store.close();
  expect(extentOf(directory).head).toBeGreaterThan(headsBefore + 10);
});

test("history that a watcher may still ask for is not cleaned away", async () => {
  const directory = dataDirectory();
  const open = () => openSqliteStore({ directory, commitMode: "loop", compaction: keepAll });
  const store = open();
  const big = (text: string) => Buffer.alloc(mebibyte, text);
  await store.create("a", big("0"));
  for (let round = 1; round <= 25; round += 1) await store.update("a", big(`${round} `));
  await store.compact(5);
  for (let round = 26; round <= 30; round += 1) await store.update("a", big(`${round} `));
  await store.close();
  await using again = open();
  expect(again.compactRevision).toBe(5);
  const { value: batch } = await again.watch({ prefix: "", after: 5 }).next();
  expect(batch?.events.map(({ revision }) => revision)).toEqual(
    Array.from({ length: 26 }, (_, index) => 6 + index),
  );
  expect(Buffer.from(again.get("a", { revision: 5 })!.value).toString("latin1", 0, 2)).toBe("4 ");
});
