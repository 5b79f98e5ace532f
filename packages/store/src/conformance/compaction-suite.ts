import { ManualClock } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { RevisionAheadError, RevisionCompactedError } from "../store-error.ts";
import { bytes, drive, heard, openFor, type StoreBackend, show, turns } from "./store-backend.ts";

/** Forgetting: what compaction takes away, what it leaves, and what compacts by itself. */
export function compactionSuite(backend: StoreBackend): void {
  test("at the compacted revision everything can be read, before it nothing", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    await store.create("b", bytes("1"));
    await store.update("a", bytes("2"));
    await store.delete("b");
    await store.update("a", bytes("3"));
    await store.compact(3);
    expect([store.revision, store.compactRevision]).toEqual([5, 3]);
    expect(store.list({ prefix: "", revision: 3 }).items.map(show)).toEqual(["a@3=2", "b@2=1"]);
    expect(show(store.get("b", { revision: 3 }))).toBe("b@2=1");
    expect(show(store.get("b", { revision: 4 }))).toBe("nothing");
    expect(show(store.get("a"))).toBe("a@5=3");
    for (const read of [
      () => store.get("a", { revision: 2 }),
      () => store.list({ prefix: "", revision: 0 }),
    ]) {
      expect(read).toThrow(RevisionCompactedError);
    }
    expect(() => store.get("a", { revision: 2 })).toThrow(
      "revision 2 has been compacted; the oldest readable one is 3",
    );
  });

  test("a watch after the compacted revision works, after an older one it is refused", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    await store.update("a", bytes("2"));
    await store.update("a", bytes("3"));
    await store.compact(2);
    expect(await heard(store.watch({ prefix: "", after: 2 }))).toEqual([
      "modified a@3=3 was a@2=2",
    ]);
    const refused = store.watch({ prefix: "", after: 1 });
    const ending = await refused.next().catch((error: unknown) => error);
    expect(ending).toBeInstanceOf(RevisionCompactedError);
    expect(ending).toMatchObject({
      code: "store-revision-compacted",
      requested: 1,
      compactRevision: 2,
    });
    expect(await refused.next()).toEqual({ done: true, value: undefined });
    const again = store.watch({ prefix: "", after: 1 });
    await expect(again.next()).rejects.toThrow(RevisionCompactedError);
  });

  test("compacting to the present forgets all history and no key", async () => {
    const store = openFor(backend);
    for (let index = 0; index < 10; index += 1) await store.create(`k${index}`, bytes("1"));
    await store.delete("k3");
    await store.compact(11);
    expect(store.statistics()).toMatchObject({ keys: 9, historyEvents: 0, historyBytes: 0 });
    expect(store.list({ prefix: "", revision: 11 }).items.length).toBe(9);
    expect(store.get("k3")).toBeUndefined();
    expect(await heard(store.watch({ prefix: "", after: 11 }))).toEqual([]);
    expect(await store.create("k3", bytes("2"))).toMatchObject({ revision: 12 });
    expect(store.get("k3")).toMatchObject({ createRevision: 12, version: 1 });
  });

  test("a key keeps its revisions and its version over a compaction", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    await store.update("a", bytes("2"));
    await store.compact(2);
    expect(store.get("a")).toMatchObject({ revision: 2, createRevision: 1, version: 2 });
    await store.update("a", bytes("3"), { expectedRevision: 2 });
    expect(store.get("a")).toMatchObject({ revision: 3, createRevision: 1, version: 3 });
  });

  test("compaction makes no revision and no event", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    const watch = store.watch({ prefix: "" });
    await store.compact(1);
    expect(await heard(watch)).toEqual([]);
    expect(await store.create("b", bytes("1"))).toMatchObject({ revision: 2 });
  });

  test("compacting what is compacted is no change, ahead of the store it is refused", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    await store.create("b", bytes("1"));
    await store.compact(2);
    await store.compact(1);
    await store.compact(2);
    await store.compact(0);
    expect(store.compactRevision).toBe(2);
    await expect(store.compact(3)).rejects.toThrow(RevisionAheadError);
    const pending = store.create("c", bytes("1"));
    await expect(store.compact(3)).rejects.toMatchObject({ requested: 3, currentRevision: 2 });
    await pending;
    await store.compact(3);
    expect(store.compactRevision).toBe(3);
  });

  test("compactions given together end at the highest", async () => {
    const store = openFor(backend);
    for (let index = 0; index < 5; index += 1) await store.create(`k${index}`, bytes("1"));
    await Promise.all([store.compact(2), store.compact(4), store.compact(3)]);
    expect(store.compactRevision).toBe(4);
  });

  test("a state that compaction has passed cannot be read any more", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    await store.create("empty", bytes(""));
    const kept = store.get("a")!;
    const empty = store.get("empty")!;
    await store.update("a", bytes("2"));
    await store.update("empty", bytes("2"));
    await store.compact(2);
    expect(show(kept)).toBe("a@1=1");
    await store.compact(4);
    expect(() => kept.value).toThrow(RevisionCompactedError);
    expect(() => kept.value).toThrow("revision 1 has been compacted");
    expect(() => empty.value).toThrow(RevisionCompactedError);
    expect(kept.key).toBe("a");
  });

  test("a watcher whose undelivered events are compacted away is told so", async () => {
    const store = openFor(backend);
    const behind = store.watch({ prefix: "a" });
    const idle = store.watch({ prefix: "b" });
    const ahead = store.watch({ prefix: "a" });
    const replaying = store.watch({ prefix: "", after: 0 });
    await store.create("a", bytes("1"));
    expect(await heard(ahead)).toEqual(["added a@1=1 was nothing"]);
    await store.update("a", bytes("2"));
    await store.update("a", bytes("3"));
    expect((await heard(ahead)).length).toBe(2);
    await store.compact(2);
    const ending = await behind.next().catch((error: unknown) => error);
    expect(ending).toBeInstanceOf(RevisionCompactedError);
    expect(ending).toMatchObject({ requested: 0, compactRevision: 2 });
    await store.create("b", bytes("1"));
    await store.update("a", bytes("4"));
    expect(await heard(idle)).toEqual(["added b@4=1 was nothing"]);
    expect(await heard(ahead)).toEqual(["modified a@5=4 was a@3=3"]);
    expect(replaying).toBeDefined();
  });

  test("a watcher with undelivered events after the compacted revision goes on", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    await store.create("a2", bytes("1"));
    const watch = store.watch({ prefix: "a" });
    await store.update("a", bytes("2"));
    await store.compact(2);
    expect(await heard(watch)).toEqual(["modified a@3=2 was a@1=1"]);
  });

  test("a replaying watch that compaction overtakes ends with that error", async () => {
    const store = openFor(backend);
    for (let index = 0; index < 5; index += 1) await store.create(`k${index}`, bytes("1"));
    const watch = store.watch({ prefix: "", after: 1 });
    await store.compact(3);
    await expect(watch.next()).rejects.toMatchObject({ requested: 1, compactRevision: 3 });
  });

  test("pages of a list pinned before the compacted revision are refused", async () => {
    const store = openFor(backend);
    for (let index = 0; index < 5; index += 1) await store.create(`k${index}`, bytes("1"));
    const { revision, next } = store.list({ prefix: "", limit: 2 });
    await store.create("k9", bytes("1"));
    await store.compact(6);
    expect(() => store.list({ prefix: "", limit: 2, after: next, revision })).toThrow(
      RevisionCompactedError,
    );
  });

  test("history older than its age is compacted by itself", async () => {
    const clock = new ManualClock();
    const store = openFor(backend, { clock, compaction: { maxAge: "1m" } });
    await drive(clock, store.create("a", bytes("1")));
    await drive(clock, store.update("a", bytes("2")));
    await clock.advance("59s");
    await drive(clock, store.update("a", bytes("3")));
    expect(store.compactRevision).toBe(0);
    await clock.advance("61s");
    await drive(
      clock,
      settledAt(() => store.compactRevision >= 1),
    );
    await clock.advance("2m");
    await drive(
      clock,
      settledAt(() => store.compactRevision === 3),
    );
    expect(store.statistics().historyEvents).toBe(0);
    expect(show(store.get("a"))).toBe("a@3=3");
    await clock.advance("1m");
    expect(clock.pending).toBe(0);
  });

  test("history longer than its limits is compacted by itself, down to less than them", async () => {
    const store = openFor(backend, { compaction: { maxAge: 0, maxEvents: 100 } });
    for (let index = 0; index < 250; index += 1) await store.create(`k${index}`, bytes("x"));
    await turns(3);
    expect(store.statistics().historyEvents).toBeLessThanOrEqual(101);
    expect(store.compactRevision).toBeGreaterThanOrEqual(149);
    expect(store.list({ prefix: "" }).items.length).toBe(250);

    const byBytes = openFor(backend, { compaction: { maxAge: 0, maxBytes: 10_000 } });
    await byBytes.create("a", bytes("x".repeat(1_000)));
    for (let index = 0; index < 50; index += 1) {
      await byBytes.update("a", bytes(String(index % 10).repeat(1_000)));
    }
    await turns(3);
    expect(byBytes.statistics().historyBytes).toBeLessThanOrEqual(11_000);
    expect(byBytes.compactRevision).toBeGreaterThan(30);
    expect(byBytes.compactRevision).toBeLessThan(51);
  });

  test("the limits of history must be numbers from 0 on", () => {
    for (const compaction of [{ maxBytes: -1 }, { maxEvents: Number.NaN }, { maxAge: -1 }]) {
      expect(() => backend.open({ clock: new ManualClock(), compaction })).toThrow(
        /compaction\.max/,
      );
    }
  });
}

/** Resolves once the condition holds; looks at it after every turn. */
async function settledAt(condition: () => boolean): Promise<void> {
  while (!condition()) await turns(1);
}
