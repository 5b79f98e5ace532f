import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ManualClock, realClock } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { dataDirectory } from "../conformance/data-directory.ts";
import { bytes, drive, heard, keepAll, show } from "../conformance/store-backend.ts";
import { storeSuite } from "../conformance/store-suite.ts";
import type { Store } from "../store.ts";
import { RevisionCompactedError } from "../store-error.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";

storeSuite({
  name: "SQLite store, commits on the loop",
  open: (options) =>
    openSqliteStore({ directory: dataDirectory(), commitMode: "loop", ...options }),
});

const modes = ["loop", "worker"] as const;

function open(directory: string, options: Partial<SqliteStoreOptions> = {}): Store {
  return openSqliteStore({ directory, compaction: keepAll, ...options });
}

test.for(modes)("a reopened store holds what was acknowledged, mode %s", async (commitMode) => {
  const directory = dataDirectory();
  const first = open(directory, { commitMode });
  await first.create("a", bytes("1"));
  await first.create("b", bytes("1"));
  await first.update("a", bytes("2"));
  await first.delete("b");
  await first.transaction([
    { type: "create", key: "__proto__", value: bytes("") },
    { type: "create", key: "日本🙂", value: bytes("x".repeat(100_000)) },
  ]);
  const before = heard(first.watch({ prefix: "", after: 0 }));
  const history = await before;
  const states = [0, 1, 2, 3, 4, 5].map((revision) => statesAt(first, revision));
  await first.close();

  await using second = open(directory, { commitMode });
  expect([second.revision, second.compactRevision, second.statistics().keys]).toEqual([5, 0, 3]);
  expect([0, 1, 2, 3, 4, 5].map((revision) => statesAt(second, revision))).toEqual(states);
  expect(await heard(second.watch({ prefix: "", after: 0 }))).toEqual(history);
  expect(second.get("a")).toMatchObject({ revision: 3, createRevision: 1, version: 2 });
  expect(await second.update("a", bytes("3"), { expectedRevision: 3 })).toMatchObject({
    outcome: "updated",
    revision: 6,
  });
});

test.for(modes)("an unsynced store is found again too, mode %s", async (commitMode) => {
  const directory = join(dataDirectory(), "made", "here");
  const first = open(directory, { commitMode, sync: false });
  await first.create("a", bytes("1"));
  await first.update("a", bytes("2"));
  await first.close();
  await using second = open(directory, { commitMode, sync: false });
  expect([second.revision, second.statistics().keys]).toEqual([2, 1]);
});

test("a reopened store remembers its compaction", async () => {
  const directory = dataDirectory();
  const first = open(directory);
  await first.create("a", bytes("1"));
  await first.create("gone", bytes("1"));
  await first.update("a", bytes("2"));
  await first.delete("gone");
  await first.update("a", bytes("3"));
  await first.create("b", bytes("1"));
  await first.compact(4);
  const kept = await heard(first.watch({ prefix: "", after: 4 }));
  await first.close();

  const second = open(directory);
  expect([second.revision, second.compactRevision]).toEqual([6, 4]);
  expect(statesAt(second, 4)).toEqual(["a@3=2 (1, 2)"]);
  expect(await heard(second.watch({ prefix: "", after: 4 }))).toEqual(kept);
  expect(() => second.get("a", { revision: 3 })).toThrow(RevisionCompactedError);
  expect(second.statistics()).toMatchObject({ keys: 2, historyEvents: 2, historyBytes: 1 });
  await second.compact(6);
  await second.close();

  await using third = open(directory);
  expect([third.revision, third.compactRevision]).toEqual([6, 6]);
  expect(statesAt(third, 6)).toEqual(["a@5=3 (1, 3)", "b@6=1 (6, 1)"]);
  expect(third.get("gone")).toBeUndefined();
});

test("the revision does not go back when everything was deleted and compacted", async () => {
  const directory = dataDirectory();
  const first = open(directory);
  await first.create("a", bytes("1"));
  await first.delete("a");
  await first.compact(2);
  await first.close();
  const second = open(directory);
  expect([second.revision, second.compactRevision, second.statistics().keys]).toEqual([2, 2, 0]);
  expect(await second.create("a", bytes("1"))).toMatchObject({ revision: 3 });
  await second.close();
});

test("a key's time to live goes on over a reopening, and ends while nobody looks", async () => {
  const directory = dataDirectory();
  const clock = new ManualClock({ startAt: 1_000_000 });
  const first = open(directory, { clock });
  await drive(clock, first.create("short", bytes("1"), { timeToLive: 1_000 }));
  await drive(clock, first.create("long", bytes("1"), { timeToLive: 10_000 }));
  await drive(clock, first.close());

  const later = new ManualClock({ startAt: 1_005_000 });
  const second = open(directory, { clock: later });
  expect(second.get("long")?.expiresAt).toBe(1_010_000);
  const watch = second.watch({ prefix: "" });
  const next = watch.next();
  const batch = await drive(later, next);
  expect(batch.value?.events.map(({ type, key }) => `${type} ${key}`)).toEqual(["deleted short"]);
  const last = watch.next();
  await later.advance(4_999);
  expect(show(second.get("long"))).toBe("long@2=1");
  await later.advance(1);
  await drive(later, last);
  expect(second.get("long")).toBeUndefined();
  await drive(later, second.close());
});

test("reopening many times keeps a store as it is", async () => {
  const directory = dataDirectory();
  for (let round = 0; round < 8; round += 1) {
    const store = open(directory, { commitMode: modes[round % 2]! });
    expect(store.revision).toBe(round * 2);
    await store.create(`k${round}`, bytes("1"));
    await store.update("k0", bytes(`round ${round}`));
    if (round % 3 === 2) await store.compact(store.revision - 1);
    await store.close();
  }
  await using store = open(directory);
  expect(store.revision).toBe(16);
  expect(statesAt(store, 16)).toEqual([
    "k0@16=round 7 (1, 9)",
    ...[1, 2, 3, 4, 5, 6, 7].map((round) => `k${round}@${round * 2 + 1}=1 (${round * 2 + 1}, 1)`),
  ]);
});

test("a store tells where it commits", async () => {
  await using loop = open(dataDirectory(), { commitMode: "loop" });
  await using worker = open(dataDirectory(), { commitMode: "worker" });
  await using automatic = open(dataDirectory(), { clock: realClock });
  expect([loop, worker, automatic].map((store) => store.statistics().commitMode)).toEqual([
    "loop",
    "worker",
    "loop",
  ]);
});

test("an opening that fails because of its options leaves the directory free", async () => {
  const directory = dataDirectory();
  const wrong = () => openSqliteStore({ directory, compaction: { maxBytes: -1 } });
  expect(wrong).toThrow("compaction.maxBytes must be 0 or more, got -1");
  expect(wrong).toThrow("compaction.maxBytes must be 0 or more, got -1");
  await using store = open(directory);
  expect(store.revision).toBe(0);
});

test("slow commits move to the worker, and writing goes on there", async () => {
  let now = 0;
  const clock = { ...realClock, monotonic: () => (now += 2) };
  await using store = open(dataDirectory(), { clock });
  const write = async (from: number, count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      await store.create(`k${from + index}`, bytes("1"));
    }
  };
  await write(0, 30);
  expect(store.statistics().commitMode).toBe("loop");
  await write(30, 1);
  expect(store.statistics().commitMode).toBe("worker");
  await write(31, 20);
  expect([store.revision, store.statistics().keys]).toEqual([51, 51]);
});

test("a relative directory stays the same one when the process goes elsewhere", async () => {
  // A worker thread cannot change directory, so this runs in a process of its own.
  const parent = dataDirectory();
  const program = `
    import { openSqliteStore } from ${JSON.stringify(new URL("./sqlite-store.ts", import.meta.url).href)};
    const store = openSqliteStore({ directory: "data", commitMode: "worker" });
    process.chdir("/");
    const result = await store.create("a", Buffer.from("1"));
    await store.close();
    console.log(result.outcome);
  `;
  const flags = ["--conditions=@homeostat/source", "--input-type=module", "--eval", program];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { cwd: parent, encoding: "utf8" });
  expect([stdout, stderr]).toEqual(["created\n", ""]);
  await using store = open(join(parent, "data"));
  expect(store.revision).toBe(1);
});

test("a process started with flags for V8 commits in a worker all the same", () => {
  const program = `
    import { openSqliteStore } from ${JSON.stringify(new URL("./sqlite-store.ts", import.meta.url).href)};
    const store = openSqliteStore({ directory: ${JSON.stringify(dataDirectory())}, commitMode: "worker" });
    console.log((await store.create("a", Buffer.from("1"))).outcome);
    await store.close();
  `;
  const file = join(dataDirectory(), "program.mjs");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, program);
  const flags = ["--conditions=@homeostat/source", "--max-old-space-size=256", file];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
  expect([stdout, stderr]).toEqual(["created\n", ""]);
});

function statesAt(store: Store, revision: number): string[] {
  return store
    .list({ prefix: "", revision })
    .items.map((state) => `${show(state)} (${state.createRevision}, ${state.version})`);
}
