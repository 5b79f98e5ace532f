import { Deferred, ManualClock } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { Checkpointer } from "./checkpointer.ts";
import { LogWorkerClient } from "./log-worker-client.ts";

const mebibyte = 1024 * 1024;

/** Answers checkpoints when the test says so. */
class ScriptedWorker extends LogWorkerClient {
  readonly asked: Deferred<{ frames: number; moved: number } | undefined>[] = [];

  constructor() {
    super("no file");
  }

  override checkpoint(): Promise<{ frames: number; moved: number } | undefined> {
    const answer = new Deferred<{ frames: number; moved: number } | undefined>();
    this.asked.push(answer);
    return answer.promise;
  }
}

const whole = { frames: 10, moved: 10 };
const part = { frames: 10, moved: 7 };

function setUp(): { clock: ManualClock; worker: ScriptedWorker; checkpointer: Checkpointer } {
  const worker = new ScriptedWorker();
  return { clock: new ManualClock(), worker, checkpointer: new Checkpointer(worker, 0) };
}

test("a checkpoint is asked for after 32 MiB, and one at a time", async () => {
  const { clock, worker, checkpointer } = setUp();
  checkpointer.wrote(32 * mebibyte - 1);
  expect(worker.asked.length).toBe(0);
  checkpointer.wrote(1);
  checkpointer.wrote(40 * mebibyte);
  expect(worker.asked.length).toBe(1);
  worker.asked[0]!.resolve(part);
  await clock.settle();
  checkpointer.wrote(1);
  expect(worker.asked.length).toBe(2);
});

test("commits wait only when the file has become too long", async () => {
  const { clock, worker, checkpointer } = setUp();
  checkpointer.wrote(256 * mebibyte - 1);
  expect(checkpointer.beforeCommit()).toBeUndefined();
  checkpointer.wrote(1);
  let hasWaited = false;
  const waiting = checkpointer.beforeCommit()?.then(() => (hasWaited = true));
  worker.asked[0]!.resolve(part);
  await clock.settle();
  expect([worker.asked.length, hasWaited]).toEqual([2, false]);
  worker.asked[1]!.resolve(part);
  await waiting;
  expect(checkpointer.beforeCommit()).toBeUndefined();
});

test("a checkpoint that moved everything lets the file start over", async () => {
  const { clock, worker, checkpointer } = setUp();
  for (let round = 0; round < 40; round += 1) {
    checkpointer.wrote(32 * mebibyte);
    worker.asked.at(-1)!.resolve(whole);
    await clock.settle();
    expect(checkpointer.beforeCommit()).toBeUndefined();
  }
  expect(worker.asked.length).toBe(40);
});

test("a checkpoint that failed or a worker that is gone holds nothing up", async () => {
  const { clock, worker, checkpointer } = setUp();
  checkpointer.wrote(260 * mebibyte);
  const waiting = checkpointer.beforeCommit();
  worker.asked[0]!.resolve(undefined);
  await clock.settle();
  worker.asked[1]!.reject(new Error("gone"));
  await waiting;
  expect(checkpointer.beforeCommit()).toBeUndefined();
  await checkpointer.finish();
  expect(worker.asked.length).toBe(2);
});

test("closing moves a long rest in the worker, and leaves a short one to the file's own end", async () => {
  const { worker, checkpointer } = setUp();
  checkpointer.wrote(mebibyte);
  await checkpointer.finish();
  expect(worker.asked.length).toBe(0);
  checkpointer.wrote(8 * mebibyte);
  const finished = checkpointer.finish();
  await Promise.resolve();
  worker.asked[0]!.resolve(whole);
  await finished;
});

test("a file that a killed process left is moved with the first commit", () => {
  const worker = new ScriptedWorker();
  const checkpointer = new Checkpointer(worker, 32 * mebibyte);
  expect(worker.asked.length).toBe(0);
  checkpointer.wrote(1);
  expect(worker.asked.length).toBe(1);
});
