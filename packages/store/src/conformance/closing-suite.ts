import { expect, test } from "vitest";
import { StoreClosedError } from "../store-error.ts";
import { bytes, heard, openFor, type StoreBackend } from "./store-backend.ts";

/** The end of a store. */
export function closingSuite(backend: StoreBackend): void {
  test("close waits for the writes under way and answers them", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "" });
    const hearing = watch.next();
    const writing = [store.create("a", bytes("1")), store.create("b", bytes("1"))];
    const refused = store.create("a", bytes("2"));
    await store.close();
    expect((await Promise.all(writing)).map(({ outcome }) => outcome)).toEqual([
      "created",
      "created",
    ]);
    expect(await refused).toMatchObject({ outcome: "refused", reason: "exists" });
    expect((await hearing).value?.events.length).toBe(2);
    expect(store.revision).toBe(2);
  });

  test("a closed store takes no writes, reads or watches", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    const closing = store.close();
    for (const write of [
      () => store.create("b", bytes("1")),
      () => store.update("a", bytes("2")),
      () => store.delete("a"),
      () => store.transaction([]),
      () => store.compact(1),
    ]) {
      await expect(write()).rejects.toThrow(StoreClosedError);
    }
    await closing;
    await expect(store.create("b", bytes("1"))).rejects.toMatchObject({
      code: "store-closed",
      message: "the store is closed",
    });
    for (const read of [
      () => store.get("a"),
      () => store.list({ prefix: "" }),
      () => store.watch({ prefix: "" }),
    ]) {
      expect(read).toThrow(StoreClosedError);
    }
    expect(store.revision).toBe(1);
  });

  test("every watch ends with a typed error, then is done", async () => {
    const store = openFor(backend);
    const waiting = store.watch({ prefix: "" });
    const buffered = store.watch({ prefix: "" });
    const replaying = store.watch({ prefix: "", after: 0 });
    const ended = store.watch({ prefix: "" });
    ended.close();
    await store.create("a", bytes("1"));
    expect((await heard(waiting)).length).toBe(1);
    const ending = waiting.next().catch((error: unknown) => error);
    await store.close();
    expect(await ending).toBeInstanceOf(StoreClosedError);
    for (const watch of [buffered, replaying]) {
      await expect(watch.next()).rejects.toThrow(StoreClosedError);
      expect(await watch.next()).toEqual({ done: true, value: undefined });
    }
    expect(await ended.next()).toEqual({ done: true, value: undefined });
    expect(store.statistics().watchers).toBe(0);
  });

  test("closing is idempotent, and `await using` closes", async () => {
    const store = openFor(backend);
    await Promise.all([store.close(), store.close()]);
    await store.close();
    const other = openFor(backend);
    {
      await using scoped = other;
      await scoped.create("a", bytes("1"));
    }
    expect(() => other.get("a")).toThrow(StoreClosedError);
  });
}
