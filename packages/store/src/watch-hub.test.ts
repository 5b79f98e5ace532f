import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KeyVersion } from "./key-version.ts";
import { Keyspace } from "./keyspace.ts";
import type { Watch } from "./store.ts";
import { WatchHub } from "./watch-hub.ts";

interface Setup {
  readonly keyspace: Keyspace;
  readonly hub: WatchHub;
  /** Commits the keys, each at a revision of its own, and tells the hub. */
  readonly commit: (...keys: string[]) => void;
}

function setUp(): Setup {
  const keyspace = new Keyspace();
  const hub = new WatchHub(keyspace);
  const commit = (...keys: string[]): void => {
    const versions = keys.map((key, index) => {
      const revision = keyspace.revision + 1 + index;
      const version = (keyspace.newest(key)?.version ?? 0) + 1;
      return new KeyVersion({ key, revision, createRevision: 1, version, expiresAt: undefined });
    });
    keyspace.apply(versions);
    hub.publish(versions);
  };
  return { keyspace, hub, commit };
}

async function keysHeard(watch: Watch): Promise<string[]> {
  const keys: string[] = [];
  watch.requestProgress();
  for (;;) {
    const { value } = await watch.next();
    if (value === undefined || value.events.length === 0) return keys;
    keys.push(...value.events.map((event) => `${event.key}@${event.revision}`));
  }
}

const text = fc.string({ unit: fc.constantFrom("a", "b", "/", "🙂", "__proto__"), maxLength: 4 });

test("a watcher hears exactly the keys that start with its prefix, live and in replay", async () => {
  const commits = fc.array(
    fc.array(
      text.filter((key) => key.length > 0),
      { maxLength: 4 },
    ),
    {
      maxLength: 8,
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), commits, async (prefixes, list) => {
      const { hub, commit } = setUp();
      const live = prefixes.map((prefix) => hub.watch({ prefix }));
      const all: string[] = [];
      for (const keys of list) {
        commit(...keys);
        all.push(...keys);
      }
      for (const [index, prefix] of prefixes.entries()) {
        const wanted = all
          .map((key, at) => ({ key, name: `${key}@${at + 1}` }))
          .filter(({ key }) => key.startsWith(prefix))
          .map(({ name }) => name);
        expect(await keysHeard(live[index]!)).toEqual(wanted);
        expect(await keysHeard(hub.watch({ prefix, after: 0 }))).toEqual(wanted);
      }
    }),
  );
});

test("watchers of one prefix share their batches", async () => {
  const { hub, commit } = setUp();
  const [first, second] = [hub.watch({ prefix: "a" }), hub.watch({ prefix: "a" })];
  const other = hub.watch({ prefix: "" });
  commit("a1", "b1");
  const heardBy = async (watch: Watch) => (await watch.next()).value;
  const batch = await heardBy(first);
  expect(await heardBy(second)).toBe(batch);
  const whole = await heardBy(other);
  expect(whole?.events.length).toBe(2);
  expect(whole?.events[0]).toBe(batch?.events[0]);
});

test("watchers that have left are told nothing, those that stay everything", async () => {
  const { hub, commit } = setUp();
  const [leaving, staying] = [hub.watch({ prefix: "a" }), hub.watch({ prefix: "a" })];
  commit("a1");
  leaving.close();
  commit("a2");
  expect(await keysHeard(staying)).toEqual(["a1@1", "a2@2"]);
  staying.close();
  expect(hub.watchers).toBe(0);
  commit("a3");
  const late = hub.watch({ prefix: "a", after: 2 });
  expect(await keysHeard(late)).toEqual(["a3@3"]);
});

test("a replay comes in chunks that never split a revision, and goes live where it ends", async () => {
  const { hub, keyspace, commit } = setUp();
  for (let index = 0; index < 1_020; index += 1) commit(`k${index}`);
  const crowd = Array.from({ length: 50 }, (_, index) => {
    const state = { key: `crowd ${index}`, revision: 1_021, createRevision: 1_021, version: 1 };
    return new KeyVersion({ ...state, expiresAt: undefined });
  });
  keyspace.apply(crowd);
  for (let index = 0; index < 10; index += 1) commit(`l${index}`);
  const watch = hub.watch({ prefix: "", after: 0 });
  const first = await watch.next();
  expect([first.value?.events.length, first.value?.revision]).toEqual([1_070, 1_021]);
  commit("late");
  const second = await watch.next();
  expect([second.value?.events.length, second.value?.revision]).toEqual([11, 1_032]);
  commit("live");
  expect(await keysHeard(watch)).toEqual(["live@1033"]);
});

test("a replay in which nothing concerns the watcher still moves on", async () => {
  const { hub, commit } = setUp();
  for (let index = 0; index < 3_000; index += 1) commit(`k${index}`);
  commit("wanted");
  const watch = hub.watch({ prefix: "w", after: 0 });
  const revisions: number[] = [];
  for (;;) {
    const { value } = await watch.next();
    revisions.push(value!.revision);
    if (value!.events.length > 0) break;
  }
  expect(revisions.at(-1)).toBe(3_001);
  expect(revisions.length).toBeGreaterThan(1);
});
