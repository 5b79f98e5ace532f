import { ManualClock, sleep } from "@homeostat/concurrency";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { CommitLog } from "../commit-log.ts";
import { Keyspace } from "../keyspace.ts";
import { openMemoryStore } from "../memory/memory-store.ts";
import { RevisionedStore } from "../revisioned-store.ts";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";
import type { Store } from "../store.ts";
import { CommitFailedError } from "../store-error.ts";
import { dataDirectory } from "./data-directory.ts";
import { checkRun } from "./history-checker.ts";
import { type Script, scripts } from "./random-script.ts";
import { type RecordedRun, Recorder } from "./recorded-run.ts";
import { runScript } from "./script-runner.ts";
import { keepAll, turns } from "./store-backend.ts";

vi.setConfig({ testTimeout: 120_000 });

async function runOnManualClock(
  script: Script,
  open: (clock: ManualClock) => Store,
): Promise<RecordedRun> {
  const clock = new ManualClock({ startAt: 0 });
  const store = open(clock);
  const pause = (length: number): Promise<void> => sleep(clock, length);
  const run = await clock.runUntil(runScript({ store, script, now: () => clock.now(), pause }));
  await clock.runUntil(store.close());
  return run;
}

test("random histories on the memory store keep every promise", async () => {
  await fc.assert(
    fc.asyncProperty(scripts({ lives: true, steps: 16 }), async (script) => {
      const run = await runOnManualClock(script, (clock) =>
        openMemoryStore({ clock, compaction: keepAll }),
      );
      expect(checkRun(run)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

/** What becomes of a batch: written at once, after a while, or not. */
interface Fate {
  readonly delay: number;
  readonly fails: boolean;
}

function unsteadyLog(clock: ManualClock, fates: readonly Fate[]): CommitLog {
  let batches = 0;
  return {
    mode: "worker",
    append() {
      const { delay, fails } = fates[batches++ % fates.length]!;
      const error = new CommitFailedError({ reason: "disk-full", message: "the disk is full" });
      if (delay > 0) {
        return sleep(clock, delay).then(() => {
          if (fails) throw error;
        });
      }
      if (fails) throw error;
      return undefined;
    },
    close: () => Promise.resolve(),
  };
}

test("random histories on a log that is slow and fails now and then keep every promise", async () => {
  const fate = fc.record({
    delay: fc.nat({ max: 4 }),
    fails: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  });
  const fates = fc.array(fate, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(scripts({ lives: true, steps: 16 }), fates, async (script, list) => {
      const run = await runOnManualClock(script, (clock) => {
        const log = unsteadyLog(clock, list);
        return new RevisionedStore({ clock, log, keyspace: new Keyspace(), compaction: keepAll });
      });
      expect(checkRun(run)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test.for([
  ["loop", 25],
  ["worker", 10],
] as const)(
  "random histories on the SQLite store keep every promise, also when reopened, mode %s",
  async ([commitMode, numRuns]) => {
    await fc.assert(
      fc.asyncProperty(scripts({ lives: false, steps: 24 }), async (script) => {
        const directory = dataDirectory();
        const open = () => openSqliteStore({ directory, commitMode, compaction: keepAll });
        const store = open();
        const now = () => 0;
        const run = await runScript({ store, script, now, pause: turns });
        const { revision, compactRevision } = store;
        await store.close();
        await using again = open();
        expect([again.revision, again.compactRevision]).toEqual([revision, compactRevision]);
        const reopened = new Recorder(again, { now, firstTick: run.end.tick });
        for (let at = compactRevision; at <= revision; at += 1) {
          reopened.list({ prefix: "", revision: at });
        }
        expect(checkRun({ ...run, reads: [...run.reads, ...reopened.run.reads] })).toEqual([]);
      }),
      { numRuns },
    );
  },
);

/** How often each thing that can happen happened. */
function happenings(runs: readonly RecordedRun[]): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const run of runs) {
    const writers = new Set<number>();
    for (const { operations, answer, called, answered } of run.writes) {
      const kind = operations.length === 1 ? "" : "transaction ";
      if (answer?.type === "refused") count(`${kind}refused ${answer.reason}`);
      else if (answer?.type === "failed") count("failed");
      else if (answer?.type === "results") {
        for (const { outcome } of answer.results) count(`${kind}${outcome}`);
        writers.add(answer.revision);
      }
      if ((answered?.tick ?? 0) > called.tick + 2) count("overlapping write");
    }
    for (let revision = 1; revision <= run.end.revision; revision += 1) {
      if (!writers.has(revision)) count("expired key");
    }
    for (const { seen } of run.reads) if (typeof seen === "string") count(`read: ${seen}`);
    for (const { outcome } of run.compactions) count(`compaction: ${outcome}`);
    for (const { after, opened, batches, ending } of run.watches) {
      count(`watch: ${ending?.code}`);
      if (after !== undefined && after < opened.revision) count("replayed watch");
      for (const { events } of batches) count(events.length === 0 ? "progress" : "batch");
    }
  }
  return counts;
}

test("random histories reach everything that can happen", async () => {
  const samples = fc.sample(scripts({ lives: true, steps: 16 }), { seed: 1, numRuns: 100 });
  const fates = [
    { delay: 0, fails: false },
    { delay: 3, fails: false },
    { delay: 2, fails: true },
  ];
  const runs: RecordedRun[] = [];
  for (const script of samples) {
    runs.push(
      await runOnManualClock(script, (clock) => {
        const log = unsteadyLog(clock, fates);
        return new RevisionedStore({ clock, log, keyspace: new Keyspace(), compaction: keepAll });
      }),
    );
  }
  const counts = happenings(runs);
  const kinds = ["created", "updated", "deleted", "unchanged"];
  const reasons = ["refused exists", "refused missing", "refused stale"];
  const wanted = [
    ...[...kinds, ...reasons].flatMap((each) => [each, `transaction ${each}`]),
    "transaction checked",
    "failed",
    "expired key",
    "overlapping write",
    "replayed watch",
    "progress",
    "batch",
    "read: store-revision-compacted",
    "compaction: done",
    "compaction: store-revision-ahead",
    "watch: closed",
    "watch: store-watch-overflow",
    "watch: store-revision-compacted",
  ];
  expect(wanted.filter((each) => (counts.get(each) ?? 0) < 5)).toEqual([]);
});
