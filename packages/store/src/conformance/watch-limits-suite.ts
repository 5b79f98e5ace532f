import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import type { Watch } from "../store.ts";
import { RevisionAheadError, StoreClosedError, WatchOverflowError } from "../store-error.ts";
import { bytes, heard, openFor, type StoreBackend, turns } from "./store-backend.ts";

/** How a watch ends: cut because its consumer is slow, closed, aborted, or impossible. */
export function watchLimitsSuite(backend: StoreBackend): void {
  test("a slow watcher is cut, told its last revision, and resumes there", async () => {
    const store = openFor(backend);
    const slow = store.watch({ prefix: "", bufferSize: 3 });
    const other = store.watch({ prefix: "", bufferSize: 100 });
    await store.create("k0", bytes("x"));
    expect((await slow.next()).value?.revision).toBe(1);
    for (let index = 1; index <= 4; index += 1) await store.create(`k${index}`, bytes("x"));
    const ending = await slow.next().catch((error: unknown) => error);
    expect(ending).toBeInstanceOf(WatchOverflowError);
    expect(ending).toMatchObject({
      code: "store-watch-overflow",
      lastRevision: 1,
      message: "the watcher fell more than 3 events behind; the last delivered revision is 1",
    });
    expect(await slow.next()).toEqual({ done: true, value: undefined });
    expect(store.statistics().watchers).toBe(1);
    expect((await heard(other)).length).toBe(5);
    const resumed = store.watch({ prefix: "", after: (ending as WatchOverflowError).lastRevision });
    expect(await heard(resumed)).toEqual(
      [1, 2, 3, 4].map((index) => `added k${index}@${index + 1}=x was nothing`),
    );
  });

  test("a watcher of a quiet prefix that is cut can resume although history is gone", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "quiet/", bufferSize: 1 });
    for (let index = 0; index < 5; index += 1) await store.create(`loud/${index}`, bytes("x"));
    await store.compact(5);
    await store.create("quiet/a", bytes("x"));
    await store.create("quiet/b", bytes("x"));
    const ending = await watch.next().catch((error: unknown) => error);
    expect(ending).toMatchObject({ code: "store-watch-overflow", lastRevision: 5 });
    const resumed = store.watch({
      prefix: "quiet/",
      after: (ending as WatchOverflowError).lastRevision,
    });
    expect(await heard(resumed)).toEqual([
      "added quiet/a@6=x was nothing",
      "added quiet/b@7=x was nothing",
    ]);
  });

  test("a full buffer is no overflow, and room comes back with each batch taken", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "", bufferSize: 2 });
    for (let index = 0; index < 10; index += 2) {
      await store.create(`k${index}`, bytes("x"));
      await store.create(`k${index + 1}`, bytes("x"));
      expect((await heard(watch)).length).toBe(2);
    }
  });

  test("one commit larger than the buffer is delivered", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "", bufferSize: 1 });
    const create = (key: string) => ({ type: "create", key, value: bytes("x") }) as const;
    await store.transaction([create("a"), create("b"), create("c")]);
    expect((await heard(watch)).length).toBe(3);
    await store.transaction([create("d"), create("e")]);
    await store.create("f", bytes("x"));
    await expect(watch.next()).rejects.toThrow(WatchOverflowError);
  });

  test("a consumer that waits is never cut", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "", bufferSize: 1 });
    for (let index = 0; index < 20; index += 1) {
      const next = watch.next();
      await store.create(`k${index}`, bytes("x"));
      expect((await next).value?.revision).toBe(index + 1);
    }
  });

  test("a replaying watcher may be slow: history is read as it asks", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "", after: 0, bufferSize: 1 });
    await store.create("a", bytes("x"));
    const lagging = store.watch({ prefix: "", after: 0, bufferSize: 1 });
    for (let index = 0; index < 5; index += 1) await store.create(`k${index}`, bytes("x"));
    expect((await heard(lagging)).length).toBe(6);
    await expect(heard(watch)).rejects.toThrow(WatchOverflowError);
  });

  test("a buffer holds at least one event", () => {
    const store = openFor(backend);
    for (const bufferSize of [0, -1, 1.5, Number.NaN]) {
      expect(() => store.watch({ prefix: "", bufferSize })).toThrow(
        new RangeError(`bufferSize must be a whole number of at least 1, got ${bufferSize}`),
      );
    }
    expect(store.statistics().watchers).toBe(0);
  });

  test("a watch after a revision ahead of the store ends with that error", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    const watch = store.watch({ prefix: "", after: 5 });
    const ending = await watch.next().catch((error: unknown) => error);
    expect(ending).toBeInstanceOf(RevisionAheadError);
    expect(ending).toMatchObject({ requested: 5, currentRevision: 1 });
    expect(await watch.next()).toEqual({ done: true, value: undefined });
    expect(store.statistics().watchers).toBe(0);
  });

  test("closing a watch ends it, buffered events are dropped", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "" });
    await store.create("a", bytes("1"));
    watch.close();
    watch.close();
    expect(await watch.next()).toEqual({ done: true, value: undefined });
    watch.requestProgress();
    expect(await watch.next()).toEqual({ done: true, value: undefined });
    expect(store.statistics().watchers).toBe(0);
  });

  test("closing a watch answers the call that waits", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "" });
    const waiting = watch.next();
    watch.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test("leaving the loop ends the watch", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "" });
    await store.create("a", bytes("1"));
    for await (const batch of watch) {
      expect(batch.revision).toBe(1);
      break;
    }
    expect(store.statistics().watchers).toBe(0);
    {
      await using other = store.watch({ prefix: "" });
      expect(store.statistics().watchers).toBe(1);
      expect(other).not.toBe(watch);
    }
    expect(store.statistics().watchers).toBe(0);
  });

  test("an aborted signal ends the watch without an error", async () => {
    const store = openFor(backend);
    const controller = new AbortController();
    const waiting = store.watch({ prefix: "", signal: controller.signal });
    const idle = store.watch({ prefix: "", signal: controller.signal });
    const replaying = store.watch({ prefix: "", after: 0, signal: controller.signal });
    const other = store.watch({ prefix: "" });
    const next = waiting.next();
    await turns(1);
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    await store.create("a", bytes("1"));
    for (const watch of [idle, replaying]) {
      expect(await watch.next()).toEqual({ done: true, value: undefined });
    }
    expect(await heard(other)).toEqual(["added a@1=1 was nothing"]);
    const dead = store.watch({ prefix: "", after: 0, signal: controller.signal });
    expect(await dead.next()).toEqual({ done: true, value: undefined });
    expect(store.statistics().watchers).toBe(1);
  });

  test("a watch that has ended leaves nothing behind at its signal", async () => {
    const store = openFor(backend);
    const { signal } = new AbortController();
    const closed = store.watch({ prefix: "", signal });
    const cut = store.watch({ prefix: "", bufferSize: 1, signal });
    const refused = store.watch({ prefix: "", after: 9, signal });
    const open = store.watch({ prefix: "", signal });
    expect(getEventListeners(signal, "abort").length).toBe(4);
    closed.close();
    await store.create("a", bytes("1"));
    await store.create("b", bytes("1"));
    await expect(cut.next()).rejects.toThrow(WatchOverflowError);
    await expect(refused.next()).rejects.toThrow(RevisionAheadError);
    expect(getEventListeners(signal, "abort").length).toBe(1);
    await store.close();
    await expect(open.next()).rejects.toThrow(StoreClosedError);
    expect(getEventListeners(signal, "abort").length).toBe(0);
  });

  test("a consumer asks for one batch at a time", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "" });
    const first = watch.next();
    await expect(watch.next()).rejects.toThrow("next() was called while an earlier call waits");
    await store.create("a", bytes("1"));
    expect((await first).value?.revision).toBe(1);
  });

  test("a thousand watchers hear each write, and those that stop are forgotten", async () => {
    const store = openFor(backend);
    const watches: Watch[] = Array.from({ length: 1_000 }, (_, index) =>
      store.watch({ prefix: index % 2 === 0 ? "a" : "" }),
    );
    await store.create("a", bytes("1"));
    await store.create("b", bytes("1"));
    const counts = await Promise.all(watches.map((watch) => heard(watch)));
    expect(counts.map((events) => events.length)).toEqual(
      watches.map((_, index) => (index % 2 === 0 ? 1 : 2)),
    );
    for (const watch of watches) watch.close();
    expect(store.statistics().watchers).toBe(0);
    await store.create("c", bytes("1"));
  });
}
