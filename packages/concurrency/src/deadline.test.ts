import { expect, test } from "vitest";
import { Deadline } from "./deadline.ts";
import { ManualClock } from "./manual-clock.ts";
import { sleep } from "./sleep.ts";

test("steps share what is left", async () => {
  const clock = new ManualClock();
  const deadline = new Deadline(clock, "10s");
  const step = (): Promise<number> =>
    deadline.run(async (signal) => {
      await sleep(clock, "4s", { signal });
      return deadline.remaining;
    });
  expect(await clock.runUntil(step())).toBe(6000);
  expect(await clock.runUntil(step())).toBe(2000);
  await expect(clock.runUntil(step())).rejects.toThrow("expected an end within 10s, got none");
  expect([clock.monotonic(), deadline.remaining, deadline.isPassed]).toEqual([10_000, 0, true]);
  expect(clock.pending).toBe(0);
});

test("a step that does not listen to its signal is left behind at the deadline", async () => {
  const clock = new ManualClock();
  const deadline = new Deadline(clock, "1s");
  const deaf = deadline.run(() => new Promise(() => {}));
  await expect(clock.runUntil(deaf)).rejects.toMatchObject({ code: "TIMEOUT", timeout: 1000 });
});

test("a step that would start too late is not started", async () => {
  const clock = new ManualClock();
  const deadline = new Deadline(clock, "1s");
  deadline.throwIfPassed();
  await clock.advance("1s");
  let starts = 0;
  await expect(deadline.run(() => ++starts)).rejects.toMatchObject({ code: "TIMEOUT" });
  expect(() => deadline.throwIfPassed()).toThrow("expected an end within 1s");
  expect(starts).toBe(0);
});

test("stepping the wall clock does not move the deadline", () => {
  const clock = new ManualClock();
  const deadline = new Deadline(clock, "1s");
  clock.step(3_600_000);
  expect(deadline.remaining).toBe(1000);
});

test("the caller's abort and the step's own error come through, and nothing is left", async () => {
  const clock = new ManualClock();
  const deadline = new Deadline(clock, "1s");
  const controller = new AbortController();
  const waiting = deadline.run(() => new Promise(() => {}), { signal: controller.signal });
  controller.abort(new Error("shutdown"));
  await expect(waiting).rejects.toThrow("shutdown");
  await expect(
    deadline.run(() => {
      throw new Error("broken step");
    }),
  ).rejects.toThrow("broken step");
  await expect(deadline.run(() => 1, { signal: controller.signal })).rejects.toThrow("shutdown");
  expect(clock.pending).toBe(0);
});
