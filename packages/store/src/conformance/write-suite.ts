import { expect, test } from "vitest";
import type { WriteResult } from "../store.ts";
import { bytes, heard, openFor, type StoreBackend, show } from "./store-backend.ts";

/** Create, update and delete: revisions, expected revisions, and writes that come to nothing. */
export function writeSuite(backend: StoreBackend): void {
  test("a new store is empty, at revision 0", () => {
    const store = openFor(backend);
    expect([store.revision, store.compactRevision]).toEqual([0, 0]);
    expect(store.get("a")).toBeUndefined();
    expect(store.list({ prefix: "" })).toEqual({
      revision: 0,
      items: [],
      next: undefined,
      remaining: 0,
    });
  });

  test("each write has the next revision, and a key knows the ones that made it", async () => {
    const store = openFor(backend);
    const created = await store.create("a", bytes("1"));
    expect(created).toMatchObject({ outcome: "created", revision: 1 });
    expect(await store.create("b", bytes("x"))).toMatchObject({ outcome: "created", revision: 2 });
    const updated = await store.update("a", bytes("2"));
    expect(updated).toMatchObject({ outcome: "updated", revision: 3 });
    expect(store.revision).toBe(3);
    expect(store.get("a")).toMatchObject({ key: "a", revision: 3, createRevision: 1, version: 2 });
    expect(store.get("a")?.expiresAt).toBeUndefined();
    expect(show(store.get("a"))).toBe("a@3=2");
    expect(show(currentOf(updated))).toBe("a@3=2");
  });

  test("a deleted key is gone, and comes back as a new one", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    await store.update("a", bytes("2"));
    const deleted = await store.delete("a");
    expect(deleted).toMatchObject({ outcome: "deleted", revision: 3 });
    expect(deleted.outcome === "deleted" && show(deleted.previous)).toBe("a@2=2");
    expect(store.get("a")).toBeUndefined();
    expect(await store.create("a", bytes("3"))).toMatchObject({ outcome: "created", revision: 4 });
    expect(store.get("a")).toMatchObject({ revision: 4, createRevision: 4, version: 1 });
  });

  test("create refuses a key that is there, and says what is there", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    const refused = await store.create("a", bytes("2"));
    expect(refused).toMatchObject({ outcome: "refused", reason: "exists", key: "a" });
    expect(show(currentOf(refused))).toBe("a@1=1");
    expect(show(store.get("a"))).toBe("a@1=1");
  });

  test("update and delete refuse a key that is not there", async () => {
    const store = openFor(backend);
    const missing = { outcome: "refused", reason: "missing", key: "a", current: undefined };
    expect(await store.update("a", bytes("1"))).toEqual(missing);
    expect(await store.update("a", bytes("1"), { expectedRevision: 7 })).toEqual(missing);
    expect(await store.delete("a")).toEqual(missing);
    expect(await store.delete("a", { expectedRevision: 7 })).toEqual(missing);
    await store.create("a", bytes("1"));
    await store.delete("a");
    expect(await store.update("a", bytes("1"))).toEqual(missing);
    expect(await store.delete("a")).toEqual(missing);
  });

  test("update and delete refuse unless the key has exactly the expected revision", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    await store.update("a", bytes("2"));
    for (const expectedRevision of [0, 1, 3]) {
      const update = await store.update("a", bytes("3"), { expectedRevision });
      expect(update).toMatchObject({ outcome: "refused", reason: "stale", key: "a" });
      expect(show(currentOf(update))).toBe("a@2=2");
      const remove = await store.delete("a", { expectedRevision });
      expect(remove).toMatchObject({ outcome: "refused", reason: "stale", key: "a" });
    }
    expect(await store.update("a", bytes("3"), { expectedRevision: 2 })).toMatchObject({
      outcome: "updated",
      revision: 3,
    });
    expect(await store.delete("a", { expectedRevision: 3 })).toMatchObject({
      outcome: "deleted",
      revision: 4,
    });
  });

  test("an expected revision does not match a key that was made again since", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    await store.delete("a");
    await store.create("a", bytes("1"));
    expect(await store.update("a", bytes("2"), { expectedRevision: 1 })).toMatchObject({
      outcome: "refused",
      reason: "stale",
    });
  });

  test("writing the same bytes again is no change", async () => {
    const store = openFor(backend);
    await store.create("b", bytes("x"));
    await store.create("a", bytes("1"));
    await store.create("c", bytes("x"));
    const unchanged = await store.update("a", bytes("1"));
    expect(unchanged).toMatchObject({ outcome: "unchanged", revision: 2 });
    expect(show(currentOf(unchanged))).toBe("a@2=1");
    expect(store.get("a")).toMatchObject({ revision: 2, version: 1 });
    expect(await store.update("a", bytes("1"), { expectedRevision: 1 })).toMatchObject({
      outcome: "refused",
      reason: "stale",
    });
  });

  test("a refused or unchanged write has no revision and no event", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    const watch = store.watch({ prefix: "" });
    await store.create("a", bytes("2"));
    await store.update("a", bytes("1"));
    await store.update("a", bytes("2"), { expectedRevision: 9 });
    await store.update("b", bytes("2"));
    await store.delete("a", { expectedRevision: 9 });
    await store.delete("b");
    expect(store.revision).toBe(1);
    expect(await heard(watch)).toEqual([]);
    expect(await store.create("b", bytes("3"))).toMatchObject({ revision: 2 });
    expect(await heard(watch)).toEqual(["added b@2=3 was nothing"]);
  });

  test("writes given together are taken in the order of the calls", async () => {
    const store = openFor(backend);
    const results = await Promise.all([
      store.create("a", bytes("1")),
      store.update("a", bytes("2")),
      store.create("a", bytes("3")),
      store.update("a", bytes("2")),
      store.delete("a", { expectedRevision: 2 }),
      store.update("a", bytes("4")),
      store.create("a", bytes("5")),
    ]);
    expect(results.map(outline)).toEqual([
      "created 1",
      "updated 2",
      "refused exists a@2=2",
      "unchanged 2",
      "deleted 3",
      "refused missing nothing",
      "created 4",
    ]);
    expect(store.get("a")).toMatchObject({ revision: 4, createRevision: 4, version: 1 });
  });

  test("of many writers with the same expected revision one wins", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("0"));
    const writers = Array.from({ length: 50 }, (_, index) =>
      store.update("a", bytes(`writer ${index}`), { expectedRevision: 1 }),
    );
    const results = await Promise.all(writers);
    expect(results.map(({ outcome }) => outcome).sort()).toEqual([
      ...Array.from({ length: 49 }, () => "refused"),
      "updated",
    ]);
    expect(show(store.get("a"))).toBe("a@2=writer 0");
  });

  test("a counter raised by compare-and-set from many sides loses no step", async () => {
    const store = openFor(backend);
    await store.create("counter", bytes("0"));
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let raised = 0; raised < 5; ) {
          const { value, revision } = store.get("counter")!;
          const next = bytes(String(Number(Buffer.from(value).toString()) + 1));
          const result = await store.update("counter", next, { expectedRevision: revision });
          if (result.outcome === "updated") raised += 1;
        }
      }),
    );
    expect(show(store.get("counter"))).toBe("counter@41=40");
    expect(store.get("counter")?.version).toBe(41);
  });

  test("nobody reads a write before it is committed", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    const writing = store.update("a", bytes("2"));
    expect([store.revision, show(store.get("a"))]).toEqual([1, "a@1=1"]);
    expect(store.list({ prefix: "" }).revision).toBe(1);
    await writing;
    expect([store.revision, show(store.get("a"))]).toEqual([2, "a@2=2"]);
  });
}

function currentOf(result: WriteResult) {
  return "current" in result ? result.current : undefined;
}

function outline(result: WriteResult): string {
  if (result.outcome !== "refused") return `${result.outcome} ${result.revision}`;
  return `refused ${result.reason} ${show(result.current)}`;
}
