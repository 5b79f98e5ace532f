import { expect, test } from "vitest";
import type { ListOptions, ListPage, Store } from "../store.ts";
import { RevisionAheadError } from "../store-error.ts";
import { bytes, openFor, type StoreBackend, show } from "./store-backend.ts";

/** Get and list: now, at a revision, and page by page. */
export function readSuite(backend: StoreBackend): void {
  test("get reads any kept revision", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    await store.create("b", bytes("x"));
    await store.update("a", bytes("2"));
    await store.delete("a");
    await store.create("a", bytes("3"));
    const seen = [0, 1, 2, 3, 4, 5].map((revision) => show(store.get("a", { revision })));
    expect(seen).toEqual(["nothing", "a@1=1", "a@1=1", "a@3=2", "nothing", "a@5=3"]);
    expect(store.get("a", { revision: 3 })).toMatchObject({ createRevision: 1, version: 2 });
    expect(store.get("c", { revision: 3 })).toBeUndefined();
  });

  test("list reads any kept revision", async () => {
    const store = openFor(backend);
    await store.create("b", bytes("1"));
    await store.create("a", bytes("1"));
    await store.update("b", bytes("2"));
    await store.delete("a");
    const at = (revision: number) => {
      const page = store.list({ prefix: "", revision });
      return [page.revision, ...page.items.map(show)];
    };
    expect([0, 1, 2, 3, 4].map(at)).toEqual([
      [0],
      [1, "b@1=1"],
      [2, "a@2=1", "b@1=1"],
      [3, "a@2=1", "b@3=2"],
      [4, "b@3=2"],
    ]);
  });

  test("a revision ahead of the store cannot be read", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    expect(() => store.get("a", { revision: 2 })).toThrow(RevisionAheadError);
    expect(() => store.list({ prefix: "", revision: 2 })).toThrow(
      "revision 2 is ahead of the store, which is at 1",
    );
    const error = thrownBy(() => store.get("nowhere", { revision: 5 }));
    expect(error).toMatchObject({
      code: "store-revision-ahead",
      requested: 5,
      currentRevision: 1,
    });
  });

  test("list gives the keys under a prefix, in key order", async () => {
    const store = openFor(backend);
    for (const key of ["b/1", "a", "a/10", "a/2", "a0", "c", "a/"]) {
      await store.create(key, bytes(key));
    }
    const under = (prefix: string) => store.list({ prefix }).items.map(({ key }) => key);
    expect(under("a/")).toEqual(["a/", "a/10", "a/2"]);
    expect(under("")).toEqual(["a", "a/", "a/10", "a/2", "a0", "b/1", "c"]);
    expect(under("a/2")).toEqual(["a/2"]);
    expect(under("a/3")).toEqual([]);
    expect(under("d")).toEqual([]);
  });

  test("pages join to the whole list, and tell how many items follow", async () => {
    const store = openFor(backend);
    for (let index = 0; index < 7; index += 1) await store.create(`k/${index}`, bytes("x"));
    await store.create("l", bytes("x"));
    const first = store.list({ prefix: "k/", limit: 3 });
    expect(outline(first)).toEqual(["k/0", "k/1", "k/2", "next k/2", "remaining 4"]);
    const second = nextPage(store, first, { prefix: "k/", limit: 3 });
    expect(outline(second)).toEqual(["k/3", "k/4", "k/5", "next k/5", "remaining 1"]);
    const third = nextPage(store, second, { prefix: "k/", limit: 3 });
    expect(outline(third)).toEqual(["k/6", "next undefined", "remaining 0"]);
    const exact = store.list({ prefix: "k/", limit: 7 });
    expect(outline(exact).slice(-2)).toEqual(["next undefined", "remaining 0"]);
  });

  test("pages at a pinned revision show that revision while writes go on", async () => {
    const store = openFor(backend);
    const keys = Array.from({ length: 20 }, (_, index) => `k/${String(index).padStart(2, "0")}`);
    await Promise.all(keys.map((key) => store.create(key, bytes("old"))));
    const wanted = store.list({ prefix: "k/" }).items.map(show);
    const seen: string[] = [];
    let page = store.list({ prefix: "k/", limit: 4 });
    for (let number = 0; ; number += 1) {
      seen.push(...page.items.map(show));
      expect([page.revision, page.remaining]).toEqual([20, 20 - seen.length]);
      if (page.next === undefined) break;
      await store.delete(keys[number]!);
      await store.update(keys[19 - number]!, bytes("new"));
      await store.create(`k/${String(10 + number)}+`, bytes("between"));
      page = nextPage(store, page, { prefix: "k/", limit: 4 });
    }
    expect(seen).toEqual(wanted);
    expect(store.revision).toBe(32);
    expect(store.list({ prefix: "k/" }).items.length).toBe(20);
  });

  test("a page starts after a key that is no more, or never was", async () => {
    const store = openFor(backend);
    for (const key of ["k/1", "k/3", "k/5"]) await store.create(key, bytes("x"));
    await store.delete("k/3");
    const after = (key: string) =>
      store.list({ prefix: "k/", after: key }).items.map((item) => item.key);
    expect(after("k/3")).toEqual(["k/5"]);
    expect(after("k/0")).toEqual(["k/1", "k/5"]);
    expect(after("a")).toEqual(["k/1", "k/5"]);
    expect(after("k/")).toEqual(["k/1", "k/5"]);
    expect(after("k/5")).toEqual([]);
    expect(after("z")).toEqual([]);
  });

  test("a limit must be at least 1", () => {
    const store = openFor(backend);
    for (const limit of [0, -1, Number.NaN]) {
      expect(() => store.list({ prefix: "", limit })).toThrow(
        new RangeError(`limit must be at least 1, got ${limit}`),
      );
    }
  });

  test("a state keeps telling what it was after newer ones have come", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    const state = store.get("a")!;
    await store.update("a", bytes("2"));
    await store.delete("a");
    expect(show(state)).toBe("a@1=1");
    expect(state).toMatchObject({ key: "a", revision: 1, createRevision: 1, version: 1 });
  });

  test("statistics count what is there", async () => {
    const store = openFor(backend);
    expect(store.statistics()).toMatchObject({ keys: 0, valueBytes: 0, historyEvents: 0 });
    await store.create("a", bytes("12345"));
    await store.create("b", bytes("123"));
    await store.update("a", bytes("1"));
    await store.delete("b");
    const watch = store.watch({ prefix: "" });
    expect(store.statistics()).toMatchObject({
      keys: 1,
      valueBytes: 9,
      historyEvents: 4,
      historyBytes: 8,
      watchers: 1,
    });
    expect(store.statistics().heapBytes).toBeGreaterThanOrEqual(9);
    watch.close();
    await store.compact(4);
    expect(store.statistics()).toMatchObject({
      keys: 1,
      valueBytes: 1,
      historyEvents: 0,
      historyBytes: 0,
      watchers: 0,
    });
  });
}

function nextPage(store: Store, page: ListPage, options: ListOptions): ListPage {
  return store.list({ ...options, after: page.next, revision: page.revision });
}

function outline(page: ListPage): string[] {
  return [...page.items.map(({ key }) => key), `next ${page.next}`, `remaining ${page.remaining}`];
}

function thrownBy(read: () => unknown): unknown {
  try {
    read();
  } catch (error) {
    return error;
  }
  return undefined;
}
