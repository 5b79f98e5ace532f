import { Deferred, ManualClock } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import type { CommitBatch, CommitLog } from "./commit-log.ts";
import { bytes, heard, keepAll, show } from "./conformance/store-backend.ts";
import { Keyspace } from "./keyspace.ts";
import { RevisionedStore } from "./revisioned-store.ts";
import { CommitFailedError } from "./store-error.ts";

/** A log that does as it is told: `next` is the fate of the next batch, then all goes well again. */
class ObedientLog implements CommitLog {
  readonly mode = "loop";
  readonly batches: CommitBatch[] = [];
  readonly log: string[] = [];
  next: (() => Promise<void> | undefined) | undefined;

  append(batch: CommitBatch): Promise<void> | undefined {
    const changes = batch.versions.map(({ key, revision }) => `${key}@${revision}`);
    this.log.push(`append ${changes.join(",")}`);
    this.batches.push(batch);
    const fate = this.next;
    this.next = undefined;
    return fate?.();
  }

  close(): Promise<void> {
    this.log.push("close");
    return Promise.resolve();
  }
}

function setUp(): { clock: ManualClock; log: ObedientLog; store: RevisionedStore } {
  const clock = new ManualClock();
  const log = new ObedientLog();
  const store = new RevisionedStore({ clock, log, keyspace: new Keyspace(), compaction: keepAll });
  return { clock, log, store };
}

function diskFull(): CommitFailedError {
  return new CommitFailedError({ reason: "disk-full", message: "the disk is full" });
}

function broken(): CommitFailedError {
  return new CommitFailedError({ reason: "io-failed", message: "the disk is gone" });
}

function throwing(error: Error): () => undefined {
  return () => {
    throw error;
  };
}

/** How each promise came out, as text. */
async function outcomes(promises: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((each) => {
    if (each.status === "rejected") return `failed: ${(each.reason as Error).message}`;
    const result = each.value as { outcome?: string; revision?: number } | undefined;
    return result === undefined ? "done" : `${result.outcome} ${result.revision ?? ""}`.trim();
  });
}

test("writes of one turn are one batch, in revision order", async () => {
  const { clock, log, store } = setUp();
  const writing = [
    store.create("b", bytes("1")),
    store.create("a", bytes("1")),
    store.transaction([
      { type: "update", key: "b", value: bytes("2") },
      { type: "create", key: "c", value: bytes("1") },
    ]),
    store.create("a", bytes("2")),
  ];
  expect(log.batches).toEqual([]);
  expect(await clock.runUntil(outcomes(writing))).toEqual([
    "created 1",
    "created 2",
    "committed 3",
    "refused",
  ]);
  expect(log.log).toEqual(["append b@1,a@2,b@3,c@3"]);
  expect(log.batches[0]).toMatchObject({ revision: 3, compactRevision: 0 });
});

test("nothing is appended for writes that come to nothing", async () => {
  const { clock, log, store } = setUp();
  await clock.runUntil(outcomes([store.delete("a"), store.transaction([]), store.compact(0)]));
  expect(log.log).toEqual([]);
});

test("a failed batch is rolled back whole and each caller told", async () => {
  const { clock, log, store } = setUp();
  await clock.runUntil(store.create("a", bytes("1")));
  const before = store.statistics();
  const watch = store.watch({ prefix: "" });
  log.next = throwing(diskFull());
  const writing = [
    store.update("a", bytes("2")),
    store.create("b", bytes("1")),
    store.delete("a"),
    store.transaction([{ type: "create", key: "c", value: bytes("1") }]),
    store.compact(1),
  ];
  expect(await clock.runUntil(outcomes(writing))).toEqual(
    writing.map(() => "failed: the disk is full"),
  );
  expect([store.revision, store.compactRevision]).toEqual([1, 0]);
  expect(store.list({ prefix: "" }).items.map(show)).toEqual(["a@1=1"]);
  expect(store.statistics()).toEqual({ ...before, watchers: 1 });
  expect(await clock.runUntil(heard(watch))).toEqual([]);
});

test("after a full disk the next write goes on where the store was", async () => {
  const { clock, log, store } = setUp();
  await clock.runUntil(store.create("a", bytes("1")));
  const watch = store.watch({ prefix: "" });
  log.next = throwing(diskFull());
  await clock.runUntil(outcomes([store.update("a", bytes("2")), store.create("b", bytes("1"))]));
  const writing = [
    store.update("a", bytes("3"), { expectedRevision: 1 }),
    store.create("b", bytes("2")),
    store.compact(1),
  ];
  expect(await clock.runUntil(outcomes(writing))).toEqual(["updated 2", "created 3", "done"]);
  expect(await clock.runUntil(heard(watch))).toEqual([
    "modified a@2=3 was a@1=1",
    "added b@3=2 was nothing",
  ]);
  expect(store.compactRevision).toBe(1);
});

test("an answer that depends on a failed write fails with it, others are given at once", async () => {
  const { clock, log, store } = setUp();
  await clock.runUntil(store.create("a", bytes("1")));
  await clock.runUntil(store.create("z", bytes("1")));
  log.next = throwing(diskFull());
  const writing = [
    store.update("a", bytes("2")),
    store.update("a", bytes("3"), { expectedRevision: 1 }),
    store.update("a", bytes("2")),
    store.create("a", bytes("2")),
    store.transaction([{ type: "check", key: "a", expectedRevision: 1 }]),
    store.transaction([{ type: "update", key: "a", value: bytes("2") }]),
  ];
  const independent = outcomes([
    store.create("z", bytes("2")),
    store.update("z", bytes("1")),
    store.delete("y"),
  ]);
  expect(await independent).toEqual(["refused", "unchanged 2", "refused"]);
  expect(await clock.runUntil(outcomes(writing))).toEqual(
    writing.map(() => "failed: the disk is full"),
  );
  expect(
    await clock.runUntil(store.update("a", bytes("3"), { expectedRevision: 1 })),
  ).toMatchObject({ outcome: "updated", revision: 3 });
});

test("nothing that waits for a batch is answered or visible before it is durable", async () => {
  const { clock, log, store } = setUp();
  const durable = new Deferred();
  log.next = () => durable.promise;
  const watch = store.watch({ prefix: "" });
  let answers = 0;
  const writing = [store.create("a", bytes("1")), store.create("a", bytes("2"))];
  for (const each of writing) void each.then(() => (answers += 1));
  await clock.settle();
  expect([answers, store.revision, store.get("a")]).toEqual([0, 0, undefined]);
  expect(await clock.runUntil(heard(watch))).toEqual([]);
  durable.resolve();
  await clock.settle();
  expect([answers, store.revision, show(store.get("a"))]).toEqual([2, 1, "a@1=1"]);
});

test("writes made while a batch is under way form the next one, checked against it", async () => {
  const { clock, log, store } = setUp();
  const durable = new Deferred();
  log.next = () => durable.promise;
  const first = [store.create("a", bytes("1"))];
  await clock.settle();
  const second = [store.update("a", bytes("2"), { expectedRevision: 1 })];
  await clock.settle();
  second.push(store.create("b", bytes("1")), store.delete("b"), store.update("b", bytes("1")));
  await clock.settle();
  expect(log.log).toEqual(["append a@1"]);
  durable.resolve();
  expect(await clock.runUntil(outcomes([...first, ...second]))).toEqual([
    "created 1",
    "updated 2",
    "created 3",
    "deleted 4",
    "refused",
  ]);
  expect(log.log).toEqual(["append a@1", "append a@2,b@3,b@4"]);
});

test("when a batch fails, the writes checked against it fail too", async () => {
  const { clock, log, store } = setUp();
  const durable = new Deferred();
  log.next = () => durable.promise;
  const writing: Promise<unknown>[] = [store.create("a", bytes("1"))];
  await clock.settle();
  writing.push(
    store.update("a", bytes("2"), { expectedRevision: 1 }),
    store.create("b", bytes("1")),
    store.create("a", bytes("3")),
    store.compact(0),
  );
  await clock.settle();
  durable.reject(diskFull());
  expect(await clock.runUntil(outcomes(writing))).toEqual(
    writing.map(() => "failed: the disk is full"),
  );
  expect([store.revision, store.statistics().valueBytes]).toEqual([0, 0]);
  expect(log.log).toEqual(["append a@1"]);
  expect(await clock.runUntil(store.create("a", bytes("4")))).toMatchObject({ revision: 1 });
});

test("a broken log ends writing, and reading goes on", async () => {
  const { clock, log, store } = setUp();
  await clock.runUntil(store.create("a", bytes("1")));
  log.next = throwing(broken());
  await clock.runUntil(outcomes([store.update("a", bytes("2"))]));
  const refused = [
    store.create("b", bytes("1")),
    store.update("a", bytes("1")),
    store.delete("a"),
    store.transaction([]),
    store.compact(1),
  ];
  expect(await clock.runUntil(outcomes(refused))).toEqual(
    refused.map(() => "failed: the disk is gone"),
  );
  expect(show(store.get("a"))).toBe("a@1=1");
  expect(await clock.runUntil(heard(store.watch({ prefix: "", after: 0 })))).toEqual([
    "added a@1=1 was nothing",
  ]);
  await clock.runUntil(store.close());
  expect(log.log).toEqual(["append a@1", "append a@2", "close"]);
});

test("whatever a log throws is a failed commit, and of an unknown kind a broken log", async () => {
  const { clock, log, store } = setUp();
  const cause = new Error("out of ink");
  log.next = () => Promise.reject(cause);
  const failure = await clock.runUntil(store.create("a", bytes("1")).catch((error) => error));
  expect(failure).toBeInstanceOf(CommitFailedError);
  expect(failure).toMatchObject({
    code: "store-io-failed",
    fatal: true,
    cause,
    message: "the log failed: Error: out of ink",
  });
  await expect(clock.runUntil(store.create("a", bytes("1")))).rejects.toBe(failure);
});

test("close waits for batches under way, also for those that fail", async () => {
  const { clock, log, store } = setUp();
  const durable = new Deferred();
  log.next = () => durable.promise;
  const writing: Promise<unknown>[] = [store.create("a", bytes("1"))];
  await clock.settle();
  writing.push(store.create("b", bytes("1")));
  const closing = store.close();
  await clock.settle();
  expect(log.log).toEqual(["append a@1"]);
  durable.resolve();
  log.next = throwing(diskFull());
  expect(await clock.runUntil(outcomes(writing))).toEqual([
    "created 1",
    "failed: the disk is full",
  ]);
  await clock.runUntil(closing);
  expect(log.log).toEqual(["append a@1", "append b@2", "close"]);
});

test("an expired key that could not be deleted is deleted later", async () => {
  const { clock, log, store } = setUp();
  await clock.runUntil(store.create("a", bytes("1"), { timeToLive: 1_000 }));
  log.next = throwing(diskFull());
  await clock.advance(1_000);
  expect(show(store.get("a"))).toBe("a@1=1");
  log.next = throwing(diskFull());
  await clock.advance(5_000);
  expect(show(store.get("a"))).toBe("a@1=1");
  await clock.advance(5_000);
  expect([store.get("a"), store.revision]).toEqual([undefined, 2]);
});

test("a compaction that could not be written is tried again", async () => {
  const clock = new ManualClock();
  const log = new ObedientLog();
  const compaction = { maxAge: "1m" };
  const store = new RevisionedStore({ clock, log, keyspace: new Keyspace(), compaction });
  await clock.runUntil(store.create("a", bytes("1")));
  log.next = throwing(diskFull());
  await clock.advance("1m");
  expect(store.compactRevision).toBe(0);
  await clock.advance("1m");
  expect(store.compactRevision).toBe(1);
});
