import { ManualClock, sleep } from "@homeostat/concurrency";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openMemoryStore } from "../memory/memory-store.ts";
import type { Store } from "../store.ts";
import * as broken from "./broken-store.ts";
import { checkRun } from "./history-checker.ts";
import { type Script, scripts } from "./random-script.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { runScript } from "./script-runner.ts";
import { keepAll } from "./store-backend.ts";
import type { Violation } from "./violation.ts";

/** The same scripts every time: these tests prove the checker, not the store. */
const samples = fc.sample(scripts({ lives: true, steps: 24 }), { seed: 20_260_101, numRuns: 16 });

async function run(script: Script, wrap: (store: Store) => Store): Promise<RecordedRun> {
  const clock = new ManualClock({ startAt: 0 });
  const store = wrap(openMemoryStore({ clock, compaction: keepAll }));
  const pause = (length: number): Promise<void> => sleep(clock, length);
  const done = runScript({ store, script, now: () => clock.now(), pause });
  return clock.runUntil(done, { maxTime: "10m" });
}

/** Names of what the checker finds, over all scripts in which the bug could strike. */
async function findings(
  bug: new (inner: Store) => broken.BrokenStore,
): Promise<{ struck: number; unseen: number; names: Set<Violation["guarantee"]> }> {
  const names = new Set<Violation["guarantee"]>();
  let [struck, unseen] = [0, 0];
  for (const script of samples) {
    let store: broken.BrokenStore | undefined;
    const record = await run(script, (inner) => {
      store = new bug(inner);
      return store;
    });
    if (store?.strikes === 0) continue;
    struck += 1;
    const violations = checkRun(record);
    if (violations.length === 0) unseen += 1;
    for (const { guarantee } of violations) names.add(guarantee);
  }
  return { struck, unseen, names };
}

test("a store without a bug passes", async () => {
  for (const script of samples) expect(checkRun(await run(script, (store) => store))).toEqual([]);
});

describe("each planted bug is found, wherever it strikes:", () => {
  const bugs: readonly [new (inner: Store) => broken.BrokenStore, Violation["guarantee"]][] = [
    [broken.DropsAnEvent, "reliable"],
    [broken.RepeatsABatch, "unique"],
    [broken.RepeatsAnEvent, "unique"],
    [broken.SwapsEvents, "ordered"],
    [broken.SplitsATransaction, "atomic"],
    [broken.ForgetsPrevious, "previous"],
    [broken.MistakesTheType, "type"],
    [broken.ShowsTheOldValue, "value"],
    [broken.BookmarksTooEarly, "bookmarkable"],
    [broken.PromisesTheFuture, "bookmarkable"],
    [broken.SkipsOnResuming, "resumable"],
    [broken.RepeatsOnResuming, "resumable"],
    [broken.LosesAnAcknowledgedWrite, "linearizable"],
    [broken.AnswersTooEarly, "linearizable"],
    [broken.LetsStaleWritesThrough, "linearizable"],
    [broken.RefusesWithoutReason, "linearizable"],
    [broken.AppliesHalfATransaction, "linearizable"],
    [broken.ReadsTheFormerState, "linearizable"],
    [broken.ListsTooLittle, "linearizable"],
    [broken.CompactsNothing, "compaction"],
  ];

  test.each(bugs.map(([bug, guarantee]) => ({ name: bug.name, bug, guarantee })))(
    "$name breaks $guarantee",
    async ({ bug, guarantee }) => {
      const { struck, unseen, names } = await findings(bug);
      expect(struck).toBeGreaterThan(2);
      expect(unseen).toBe(0);
      expect(names).toContain(guarantee);
    },
  );
});
