import { ManualClock } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { storeSuite } from "../conformance/store-suite.ts";
import { openMemoryStore } from "./memory-store.ts";

storeSuite({ name: "memory store", open: (options) => openMemoryStore(options) });

test("a memory store needs no options and says that it is one", async () => {
  await using store = openMemoryStore();
  await store.create("a", Buffer.from("1"));
  expect(store.statistics()).toMatchObject({ keys: 1, commitMode: "memory" });
});

test("an idle memory store leaves nothing pending on its clock", async () => {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  await clock.runUntil(store.create("a", Buffer.from("1"), { timeToLive: 60_000 }));
  expect(clock.pending).toBe(2);
  await clock.advance("1h");
  expect([store.statistics().keys, store.statistics().historyEvents]).toEqual([0, 0]);
  expect(clock.pending).toBe(0);
  await clock.runUntil(store.create("b", Buffer.from("1"), { timeToLive: 60_000 }));
  await clock.runUntil(store.close());
  expect(clock.pending).toBe(0);
});

test("a value has at most 256 MiB", async () => {
  await using store = openMemoryStore();
  const tooLarge = new Uint8Array(256 * 1024 * 1024 + 1);
  await expect(store.create("a", tooLarge)).rejects.toThrow(
    new RangeError("a value has at most 268435456 bytes, a got 268435457"),
  );
});

test("deleting and compacting alone gives memory back", async () => {
  await using store = openMemoryStore({ compaction: { maxAge: 0 } });
  const value = Buffer.alloc(10_000, "x");
  const keys = Array.from({ length: 10_000 }, (_, index) => `/key-${index}`);
  await Promise.all(keys.map((key) => store.create(key, value)));
  const full = store.statistics().heapBytes;
  // Every second one, so that no slab becomes empty by itself.
  await Promise.all(keys.filter((_, index) => index % 2 === 0).map((key) => store.delete(key)));
  for (let revision = 100; revision <= store.revision; revision += 100)
    await store.compact(revision);
  for (let round = 0; round < 20; round += 1) {
    const last = await store.create(`/last-${round}`, new Uint8Array());
    if (last.outcome === "created") await store.compact(last.revision);
  }
  expect(store.statistics().heapBytes).toBeLessThan(full * 0.75);
});
