import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Deferred } from "./deferred.ts";
import { ManualClock } from "./manual-clock.ts";
import { sleep } from "./sleep.ts";

test("time stands still until it is told to move", async () => {
  const clock = new ManualClock({ startAt: 1000 });
  const fired: number[] = [];
  clock.setTimer(5, () => fired.push(clock.monotonic()));
  await clock.settle();
  expect([clock.now(), clock.monotonic(), fired]).toEqual([1000, 0, []]);
  await clock.advance(4);
  expect([clock.now(), clock.monotonic(), fired]).toEqual([1004, 4, []]);
  await clock.advance("1s");
  expect([clock.now(), clock.monotonic(), fired]).toEqual([2004, 1004, [5]]);
});

test("timers run by due time and then by creation, each at its own time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 60 }), async (delays) => {
      const clock = new ManualClock();
      const ran: { timer: number; at: number }[] = [];
      delays.forEach((delay, timer) => {
        clock.setTimer(delay, () => ran.push({ timer, at: clock.monotonic() }));
      });
      await clock.advance(20);
      const expected = delays
        .map((at, timer) => ({ timer, at }))
        .toSorted((left, right) => left.at - right.at || left.timer - right.timer);
      expect(ran).toEqual(expected);
      expect(clock.pending).toBe(0);
    }),
  );
});

test("a cancelled timer does not run, whichever and whenever it is cancelled", async () => {
  const timers = fc.array(
    fc.record({ delay: fc.nat(20), cancelledAt: fc.option(fc.nat(20), { nil: undefined }) }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(timers, async (plan) => {
      const clock = new ManualClock();
      const ran: number[] = [];
      const made = plan.map(({ delay }, index) => clock.setTimer(delay, () => ran.push(index)));
      for (let at = 0; at <= 20; at++) {
        plan.forEach(({ cancelledAt }, index) => {
          if (cancelledAt === at) made[index]?.cancel();
        });
        const left = plan.filter(
          ({ delay, cancelledAt = Number.POSITIVE_INFINITY }) => delay >= at && cancelledAt > at,
        );
        expect(clock.pending).toBe(left.length);
        await clock.advance(at === 0 ? 0 : 1);
      }
      const expected = plan
        .map(({ delay, cancelledAt }, index) => ({ delay, cancelledAt, index }))
        .filter(({ delay, cancelledAt }) => cancelledAt === undefined || cancelledAt > delay)
        .toSorted((left, right) => left.delay - right.delay || left.index - right.index)
        .map(({ index }) => index);
      expect(ran).toEqual(expected);
    }),
  );
});

interface Step {
  readonly delay: number;
  readonly waits: number;
  readonly children: readonly Step[];
}

function stepOfDepth(depth: number): fc.Arbitrary<Step> {
  return fc.record({
    delay: fc.nat(5),
    waits: fc.nat(3),
    children: depth === 0 ? fc.constant([]) : fc.array(stepOfDepth(depth - 1), { maxLength: 3 }),
  });
}

/** A small system: timers that await, give end-of-turn tasks and start more timers. */
function start(clock: ManualClock, steps: readonly Step[]): string[] {
  const timeline: string[] = [];
  const begin = ({ delay, waits, children }: Step, name: string): void => {
    const note = (what: string): void => {
      timeline.push(`${clock.monotonic()} ${name} ${what}`);
    };
    clock.setTimer(delay, () => {
      note("fires");
      clock.endOfTurn(() => note("ends the turn"));
      void (async () => {
        for (let wait = 0; wait < waits; wait++) await Promise.resolve();
        note("continues");
        children.forEach((child, index) => begin(child, `${name}.${index}`));
        clock.endOfTurn(() => note("ends its second turn"));
      })();
    });
  };
  steps.forEach((child, index) => begin(child, `${index}`));
  return timeline;
}

test("how the way is divided into steps does not change what happens on it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepOfDepth(3), { maxLength: 5 }),
      fc.array(fc.nat(9), { maxLength: 20 }),
      async (steps, parts) => {
        const whole = new ManualClock();
        const expected = start(whole, steps);
        await whole.advance(200);

        const divided = new ManualClock();
        const timeline = start(divided, steps);
        for (const part of parts) await divided.advance(part);
        while (await divided.advanceToNext());

        expect(timeline).toEqual(expected);
      },
    ),
  );
});

test("continuations and end-of-turn tasks finish before the next timer, even one due now", async () => {
  const clock = new ManualClock();
  const ran: string[] = [];
  clock.setTimer(1, () => {
    ran.push("timer 1");
    clock.setTimer(0, () => ran.push("timer set by timer 1"));
    clock.endOfTurn(() => {
      ran.push("task");
      void Promise.resolve().then(() => ran.push("continuation of the task"));
      clock.endOfTurn(() => ran.push("task of the next turn"));
    });
    void (async () => {
      for (let depth = 0; depth < 100; depth++) await Promise.resolve();
      ran.push("deep continuation");
    })();
  });
  clock.setTimer(1, () => ran.push("timer 2"));
  await clock.advance(1);
  expect(ran).toEqual([
    "timer 1",
    "deep continuation",
    "task",
    "continuation of the task",
    "task of the next turn",
    "timer 2",
    "timer set by timer 1",
  ]);
});

test("settle runs timers due now and leaves the later ones", async () => {
  const clock = new ManualClock();
  const ran: string[] = [];
  clock.setTimer(0, () => ran.push("now"));
  clock.setTimer(-3, () => ran.push("overdue"));
  clock.setTimer(1, () => ran.push("later"));
  await clock.settle();
  expect(ran).toEqual(["now", "overdue"]);
  expect([clock.pending, clock.nextDue, clock.monotonic()]).toEqual([1, 1, 0]);
});

test("advanceToNext jumps to the next timer and says when there is none", async () => {
  const clock = new ManualClock();
  const ran: string[] = [];
  clock.setTimer(86_400_000, () => ran.push("tomorrow"));
  clock.setTimer(86_400_000, () => ran.push("tomorrow too"));
  clock.setTimer(86_400_001, () => ran.push("later"));
  expect(clock.nextDue).toBe(86_400_000);
  expect(await clock.advanceToNext()).toBe(true);
  expect(ran).toEqual(["tomorrow", "tomorrow too"]);
  expect(clock.monotonic()).toBe(86_400_000);
  expect(await clock.advanceToNext()).toBe(true);
  expect(await clock.advanceToNext()).toBe(false);
  expect([clock.monotonic(), clock.nextDue]).toEqual([86_400_001, undefined]);
});

test("stepping the wall clock fires nothing and leaves monotonic time alone", async () => {
  const clock = new ManualClock({ startAt: 10_000 });
  let fired = 0;
  clock.setTimer(100, () => fired++);
  clock.step(5000);
  await clock.settle();
  expect([clock.now(), clock.monotonic(), fired]).toEqual([15_000, 0, 0]);
  clock.step(-9000);
  expect(clock.now()).toBe(6000);
  await clock.advance(100);
  expect([clock.now(), clock.monotonic(), fired]).toEqual([6100, 100, 1]);
});

test("runUntil drives the system until the promise settles, and no further", async () => {
  const clock = new ManualClock();
  const ticks: number[] = [];
  const tick = (): void => {
    ticks.push(clock.monotonic());
    clock.setTimer(10, tick);
  };
  tick();
  const answer = sleep(clock, 35).then(() => "done");
  expect(await clock.runUntil(answer)).toBe("done");
  expect(ticks).toEqual([0, 10, 20, 30]);
  expect(clock.monotonic()).toBe(35);
});

test("runUntil with a predicate stops at the turn that makes it true", async () => {
  const clock = new ManualClock();
  let count = 0;
  const tick = (): void => {
    count += 1;
    clock.setTimer(1, tick);
  };
  tick();
  await clock.runUntil(() => count === 7);
  expect([count, clock.monotonic()]).toEqual([7, 6]);
  await clock.runUntil(() => true);
  expect(clock.monotonic()).toBe(6);
});

test("runUntil hands on the promise's error", async () => {
  const clock = new ManualClock();
  const failing = sleep(clock, 5).then(() => {
    throw new RangeError("broken");
  });
  await expect(clock.runUntil(failing)).rejects.toThrow(new RangeError("broken"));
});

test("runUntil reports a deadlock when nothing can bring what is awaited", async () => {
  const clock = new ManualClock();
  clock.setTimer(1500, () => {});
  await expect(clock.runUntil(new Deferred().promise)).rejects.toMatchObject({
    code: "DEADLOCK",
    message: expect.stringContaining("at 1s500ms on the clock, no timer and no task is pending"),
  });
});

test("runUntil gives up when the allowed time has passed", async () => {
  const clock = new ManualClock();
  const tick = (): void => void clock.setTimer(400, tick);
  tick();
  const waiting = clock.runUntil(() => false, { maxTime: "1s" });
  await expect(waiting).rejects.toMatchObject({
    code: "TIME_LIMIT",
    message:
      "what is awaited has not happened within 1s: the clock is at 800ms, the next of 1 pending timers is due at 1s200ms",
  });
});

test("work that keeps making work for the same instant is reported, not run for ever", async () => {
  const clock = new ManualClock({ maxTurnsPerInstant: 50 });
  const again = (): void => void clock.setTimer(0, again);
  again();
  await expect(clock.advance(1)).rejects.toMatchObject({ code: "LIVELOCK" });

  const busy = new ManualClock({ maxTurnsPerInstant: 50 });
  let ticks = 0;
  const tick = (): void => {
    if (++ticks < 500) busy.setTimer(1, tick);
  };
  tick();
  await busy.advance(1000);
  expect(ticks).toBe(500);
});

test("what a timer throws rejects the call that drives, and the rest can still run", async () => {
  const clock = new ManualClock();
  const ran: string[] = [];
  clock.setTimer(1, () => {
    throw new Error("broken timer");
  });
  clock.setTimer(1, () => ran.push("second"));
  await expect(clock.advance(10)).rejects.toThrow("broken timer");
  expect([ran, clock.monotonic()]).toEqual([[], 1]);
  await clock.advance(9);
  expect([ran, clock.monotonic()]).toEqual([["second"], 10]);
});

test("two cannot drive the same clock at once", async () => {
  const clock = new ManualClock();
  const first = clock.advance(5);
  await expect(clock.settle()).rejects.toMatchObject({ code: "ALREADY_DRIVEN" });
  await first;
  await clock.settle();
  expect(clock.monotonic()).toBe(5);
});

test("values that make no sense are refused", async () => {
  expect(() => new ManualClock({ startAt: Number.NaN })).toThrow("startAt: expected a finite");
  expect(() => new ManualClock({ maxTurnsPerInstant: 0 })).toThrow("maxTurnsPerInstant: expected");
  const clock = new ManualClock();
  expect(() => clock.setTimer(Number.POSITIVE_INFINITY, () => {})).toThrow("got Infinity");
  expect(() => clock.step(Number.NaN)).toThrow("milliseconds: expected a finite");
  await expect(clock.advance(-1)).rejects.toThrow("duration: expected");
});
