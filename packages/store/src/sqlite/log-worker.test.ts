import { join } from "node:path";
import { realClock } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { dataDirectory } from "../conformance/data-directory.ts";
import { bytes, keepAll } from "../conformance/store-backend.ts";
import { storeSuite } from "../conformance/store-suite.ts";
import { CommitFailedError } from "../store-error.ts";
import { connect } from "./connection.ts";
import { LogWorkerClient } from "./log-worker-client.ts";
import { prepareSchema } from "./schema.ts";
import { openSqliteStore } from "./sqlite-store.ts";

storeSuite({
  name: "SQLite store, commits in the worker",
  open: (options) =>
    openSqliteStore({ directory: dataDirectory(), commitMode: "worker", ...options }),
});

test("a commit in the worker overlaps with the writes after it, and order is kept", async () => {
  await using store = openSqliteStore({
    directory: dataDirectory(),
    compaction: keepAll,
    commitMode: "worker",
  });
  const answered: number[] = [];
  const writing: Promise<unknown>[] = [];
  for (let round = 0; round < 20; round += 1) {
    writing.push(store.create(`k${round}`, bytes("1")).then(() => answered.push(round)));
    await new Promise<void>((resolve) => realClock.endOfTurn(resolve));
  }
  expect(answered.length).toBeLessThan(20);
  await Promise.all(writing);
  expect(answered).toEqual(Array.from({ length: 20 }, (_, round) => round));
  expect(store.revision).toBe(20);
});

test("the worker commits, tells why it could not, and moves the write-ahead log", async () => {
  const file = join(dataDirectory(), "store.db");
  using db = connect(file);
  prepareSchema(db, file);
  const client = new LogWorkerClient(file);
  const commit = (position: number) => {
    const records = new Uint8Array(Buffer.alloc(1_000, position));
    const row = { position, firstRevision: position, lastRevision: position, records };
    return client.commit({ rows: [row], meta: undefined });
  };
  const { memory, time } = await commit(1);
  expect(memory.map(({ byteLength }) => byteLength)).toEqual([1_000]);
  expect(time).toBeGreaterThan(0);
  const failure = await commit(1).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CommitFailedError);
  expect(failure).toMatchObject({ code: "store-io-failed", fatal: true });
  await commit(2);
  expect(db.prepare("SELECT count(*) AS count FROM log").get()).toEqual({ count: 2 });
  const moved = await client.checkpoint();
  expect(moved?.frames).toBeGreaterThan(0);
  expect(moved?.moved).toBe(moved?.frames);
  await client.close();
});

test("a worker that cannot start fails each question, and none waits for ever", async () => {
  const client = new LogWorkerClient(join(dataDirectory(), "no such directory", "store.db"));
  const commit = () => client.commit({ rows: [], meta: undefined });
  await expect(commit()).rejects.toThrow(CommitFailedError);
  await expect(commit()).rejects.toThrow(/^the log worker failed: /);
  await expect(client.checkpoint()).rejects.toMatchObject({ code: "store-io-failed", fatal: true });
  await client.close();
});

test("closing the worker's client fails what still waits for it", async () => {
  const file = join(dataDirectory(), "store.db");
  using db = connect(file);
  prepareSchema(db, file);
  // A worker that is quick waits for this lock: it cannot answer before it is closed.
  db.exec("BEGIN IMMEDIATE");
  const client = new LogWorkerClient(file);
  const records = new Uint8Array(Buffer.alloc(1_000));
  const row = { position: 1, firstRevision: 1, lastRevision: 1, records };
  const ending = client
    .commit({ rows: [row], meta: undefined })
    .catch((error: unknown) => String(error));
  await client.close();
  expect(await ending).toMatch(/the log worker has ended/);
});
