import { ManualClock } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import type { CompactionPolicy } from "./compaction-policy.ts";
import { HistoryKeeper } from "./history-keeper.ts";
import { KeyVersion } from "./key-version.ts";
import { Keyspace } from "./keyspace.ts";

interface Setup {
  readonly clock: ManualClock;
  readonly keyspace: Keyspace;
  readonly keeper: HistoryKeeper;
  /** `revision at time` of each compaction asked for. */
  readonly compactions: string[];
  /** Commits one update of the key with so many bytes. */
  readonly write: (size?: number) => void;
}

function setUp(policy: CompactionPolicy, options = { obeys: true }): Setup {
  const clock = new ManualClock({ startAt: 0 });
  const keyspace = new Keyspace();
  const compactions: string[] = [];
  const keeper = new HistoryKeeper({
    clock,
    keyspace,
    policy,
    compact: (revision) => {
      compactions.push(`${revision} at ${clock.now()}`);
      if (options.obeys) keyspace.compact(revision);
    },
  });
  const write = (size = 10): void => {
    const revision = keyspace.revision + 1;
    const state = {
      key: "a",
      revision,
      createRevision: 1,
      version: revision,
      expiresAt: undefined,
    };
    const version = new KeyVersion(state);
    keyspace.heap.place(version, new Uint8Array(size));
    keyspace.apply([version]);
    keeper.committed();
  };
  return { clock, keyspace, keeper, compactions, write };
}

test("a change is kept for its age at least, and twice as long at most", async () => {
  const { clock, keyspace, compactions, write } = setUp({ maxAge: 1_000 });
  write();
  await clock.advance(999);
  write();
  expect(compactions).toEqual([]);
  await clock.advance(1);
  expect(compactions).toEqual(["1 at 1000"]);
  await clock.advance(998);
  expect(keyspace.compactRevision).toBe(1);
  await clock.advance(2);
  expect(compactions).toEqual(["1 at 1000", "2 at 2000"]);
});

test("every change has its age when it is forgotten, under steady writing", async () => {
  const { clock, keyspace, write } = setUp({ maxAge: 1_000 });
  const writtenAt = new Map<number, number>();
  const forgotten: number[] = [];
  for (let step = 0; step < 200; step += 1) {
    write();
    writtenAt.set(keyspace.revision, clock.now());
    const before = keyspace.compactRevision;
    await clock.advance(37);
    for (let revision = before + 1; revision <= keyspace.compactRevision; revision += 1) {
      forgotten.push(clock.now() - writtenAt.get(revision)!);
    }
  }
  expect(forgotten.length).toBeGreaterThan(100);
  expect(Math.min(...forgotten)).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...forgotten)).toBeLessThanOrEqual(2_037);
});

test("without history there is no timer", async () => {
  const { clock, keeper, write, compactions } = setUp({ maxAge: "5m" });
  keeper.committed();
  expect(clock.pending).toBe(0);
  write();
  expect(clock.pending).toBe(1);
  await clock.advance("1h");
  expect([clock.pending, compactions.length]).toEqual([0, 1]);
});

test("no age keeps history for ever", async () => {
  const { clock, keyspace, write } = setUp({ maxAge: 0 });
  write();
  expect(clock.pending).toBe(0);
  await clock.advance("7d");
  expect(keyspace.compactRevision).toBe(0);
});

test("too many changes are compacted to three quarters", () => {
  const { keyspace, compactions, write } = setUp({ maxAge: 0, maxEvents: 100 });
  for (let count = 0; count < 100; count += 1) write();
  expect(compactions).toEqual([]);
  write();
  expect(compactions).toEqual(["26 at 0"]);
  expect(keyspace.history.length).toBe(75);
  for (let count = 0; count < 26; count += 1) write();
  expect(compactions).toEqual(["26 at 0", "52 at 0"]);
});

test("too many bytes of replaced values are compacted to three quarters", () => {
  const { keyspace, compactions, write } = setUp({ maxAge: 0, maxBytes: 1_000 });
  for (let count = 0; count < 101; count += 1) write(10);
  expect([keyspace.history.bytes, compactions]).toEqual([1_000, []]);
  write(10);
  expect(keyspace.history.bytes).toBe(750);
  expect(compactions).toEqual(["27 at 0"]);
});

test("a limit of zero keeps nothing", () => {
  const { keyspace, write } = setUp({ maxAge: 0, maxEvents: 0 });
  write();
  write();
  expect(keyspace.history.length).toBe(0);
  expect(keyspace.compactRevision).toBe(2);
});

test("a compaction that did not happen is asked for again", async () => {
  const { clock, compactions, write } = setUp({ maxAge: 1_000 }, { obeys: false });
  write();
  await clock.advance(3_000);
  expect(compactions).toEqual(["1 at 1000", "1 at 2000", "1 at 3000"]);
});

test("after stopping nothing is compacted and no timer is left", async () => {
  const { clock, keeper, compactions, write } = setUp({ maxAge: 1_000, maxEvents: 1 });
  write();
  keeper.stop();
  write();
  write();
  expect(clock.pending).toBe(0);
  await clock.advance("1h");
  expect(compactions).toEqual([]);
});
