import { expect, test } from "vitest";
import type { TransactionResult } from "../store.ts";
import { bytes, heard, heardBatches, openFor, type StoreBackend, show } from "./store-backend.ts";

/** Several keys at one revision, or none. */
export function transactionSuite(backend: StoreBackend): void {
  test("a transaction changes all its keys at one revision, in the order given", async () => {
    const store = openFor(backend);
    await store.create("b", bytes("1"));
    await store.create("c", bytes("1"));
    await store.create("d", bytes("1"));
    const watch = store.watch({ prefix: "" });
    const result = await store.transaction([
      { type: "delete", key: "d", expectedRevision: 3 },
      { type: "create", key: "a", value: bytes("2") },
      { type: "update", key: "b", value: bytes("2"), expectedRevision: 1 },
      { type: "update", key: "c", value: bytes("1") },
      { type: "check", key: "e", expectedRevision: 0 },
    ]);
    expect(outline(result)).toEqual([
      "committed 4",
      "deleted 4 d@3=1",
      "created 4 a@4=2",
      "updated 4 b@4=2",
      "unchanged 2 c@2=1",
      "checked nothing",
    ]);
    expect(store.revision).toBe(4);
    expect(store.list({ prefix: "" }).items.map(show)).toEqual(["a@4=2", "b@4=2", "c@2=1"]);
    expect(await heardBatches(watch)).toEqual([
      ["deleted d@4 was d@3=1", "added a@4=2 was nothing", "modified b@4=2 was b@1=1"],
    ]);
  });

  test("one refused operation refuses the transaction whole", async () => {
    const store = openFor(backend);
    await store.create("b", bytes("1"));
    const watch = store.watch({ prefix: "" });
    const result = await store.transaction([
      { type: "create", key: "a", value: bytes("2") },
      { type: "update", key: "b", value: bytes("2"), expectedRevision: 9 },
    ]);
    expect(outline(result)).toEqual(["refused stale b b@1=1"]);
    expect(outline(await store.transaction([{ type: "delete", key: "x" }]))).toEqual([
      "refused missing x nothing",
    ]);
    expect([store.revision, store.get("a")]).toEqual([1, undefined]);
    expect(await heard(watch)).toEqual([]);
    expect(await store.create("a", bytes("3"))).toMatchObject({ outcome: "created", revision: 2 });
  });

  test("a check holds the transaction to what was read", async () => {
    const store = openFor(backend);
    await store.create("guard", bytes("1"));
    const guarded = (expectedRevision: number, key = "guard") =>
      store.transaction([
        { type: "check", key, expectedRevision },
        { type: "create", key: `after ${key} ${expectedRevision}`, value: bytes("x") },
      ]);
    expect(outline(await guarded(1))).toEqual([
      "committed 2",
      "checked guard@1=1",
      "created 2 after guard 1@2=x",
    ]);
    expect(outline(await guarded(2))).toEqual(["refused stale guard guard@1=1"]);
    expect(outline(await guarded(0))).toEqual(["refused stale guard guard@1=1"]);
    expect(outline(await guarded(1, "absent"))).toEqual(["refused missing absent nothing"]);
    expect(outline(await guarded(0, "absent"))).toEqual([
      "committed 3",
      "checked nothing",
      "created 3 after absent 0@3=x",
    ]);
  });

  test("a transaction that changes nothing has no revision and no event", async () => {
    const store = openFor(backend);
    await store.create("a", bytes("1"));
    await store.create("b", bytes("1"));
    const watch = store.watch({ prefix: "" });
    const result = await store.transaction([
      { type: "update", key: "a", value: bytes("1") },
      { type: "check", key: "b", expectedRevision: 2 },
    ]);
    expect(outline(result)).toEqual(["unchanged 2", "unchanged 1 a@1=1", "checked b@2=1"]);
    expect(outline(await store.transaction([]))).toEqual(["unchanged 2"]);
    expect(store.revision).toBe(2);
    expect(await heard(watch)).toEqual([]);
  });

  test("a key appears once in a transaction", async () => {
    const store = openFor(backend);
    const twice = store.transaction([
      { type: "create", key: "a", value: bytes("1") },
      { type: "update", key: "a", value: bytes("2") },
    ]);
    await expect(twice).rejects.toThrow(new TypeError('key "a" appears twice in one transaction'));
    const checkedTwice = store.transaction([
      { type: "check", key: "__proto__", expectedRevision: 0 },
      { type: "create", key: "__proto__", value: bytes("1") },
    ]);
    await expect(checkedTwice).rejects.toThrow('key "__proto__" appears twice');
    expect(store.revision).toBe(0);
    expect(await store.create("a", bytes("1"))).toMatchObject({ revision: 1 });
  });

  test("transactions and single writes given together see each other in the order of the calls", async () => {
    const store = openFor(backend);
    const [created, moved, late, stale] = await Promise.all([
      store.create("from", bytes("1")),
      store.transaction([
        { type: "delete", key: "from", expectedRevision: 1 },
        { type: "create", key: "to", value: bytes("1") },
      ]),
      store.update("from", bytes("2")),
      store.transaction([
        { type: "check", key: "to", expectedRevision: 1 },
        { type: "create", key: "from", value: bytes("3") },
      ]),
    ]);
    expect(created).toMatchObject({ outcome: "created", revision: 1 });
    expect(outline(moved)).toEqual(["committed 2", "deleted 2 from@1=1", "created 2 to@2=1"]);
    expect(late).toMatchObject({ outcome: "refused", reason: "missing" });
    expect(outline(stale)).toEqual(["refused stale to to@2=1"]);
    expect(store.list({ prefix: "" }).items.map(show)).toEqual(["to@2=1"]);
  });

  test("a watcher of some of a transaction's keys hears of those, in one batch", async () => {
    const store = openFor(backend);
    const watch = store.watch({ prefix: "a/" });
    await store.transaction([
      { type: "create", key: "a/2", value: bytes("1") },
      { type: "create", key: "b/1", value: bytes("1") },
      { type: "create", key: "a/1", value: bytes("1") },
    ]);
    expect(await heardBatches(watch)).toEqual([
      ["added a/2@1=1 was nothing", "added a/1@1=1 was nothing"],
    ]);
  });

  test("a large transaction is one revision", async () => {
    const store = openFor(backend);
    const keys = Array.from(
      { length: 3_000 },
      (_, index) => `key ${String(index).padStart(5, "0")}`,
    );
    const watch = store.watch({ prefix: "", bufferSize: 1 });
    await store.transaction(
      keys.map((key) => ({ type: "create", key, value: bytes(key.repeat(60)) })),
    );
    expect([store.revision, store.statistics().keys]).toEqual([1, 3_000]);
    const { value } = await watch.next();
    expect(value?.events.map(({ key }) => key)).toEqual(keys);
    const late = await store.watch({ prefix: "", after: 0 }).next();
    expect(late.value?.events.map(({ key, revision }) => `${key}@${revision}`)).toEqual(
      keys.map((key) => `${key}@1`),
    );
  });
}

function outline(result: TransactionResult): string[] {
  if (result.outcome === "refused") {
    return [`refused ${result.reason} ${result.key} ${show(result.current)}`];
  }
  const each = result.results.map((one) => {
    if (one.outcome === "checked") return `checked ${show(one.current)}`;
    const state = one.outcome === "deleted" ? one.previous : one.current;
    return `${one.outcome} ${one.revision} ${show(state)}`;
  });
  return [`${result.outcome} ${result.revision}`, ...each];
}
