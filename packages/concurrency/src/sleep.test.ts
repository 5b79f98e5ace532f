import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { ManualClock } from "./manual-clock.ts";
import { sleep } from "./sleep.ts";

test("sleeps as long as asked and leaves no listener", async () => {
  const clock = new ManualClock();
  const { signal } = new AbortController();
  const woken = sleep(clock, "1m30s", { signal }).then(() => clock.monotonic());
  expect(await clock.runUntil(woken)).toBe(90_000);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an abort ends the sleep with the reason and drops the timer", async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const sleeping = sleep(clock, "1h", { signal: controller.signal });
  expect(clock.pending).toBe(1);
  controller.abort(new Error("wake up"));
  await expect(sleeping).rejects.toThrow("wake up");
  expect(clock.pending).toBe(0);
  await expect(sleep(clock, 1, { signal: controller.signal })).rejects.toThrow("wake up");
  expect(clock.pending).toBe(0);
});

test("a length of time that makes no sense rejects", async () => {
  await expect(sleep(new ManualClock(), "soon")).rejects.toThrow('got "soon"');
});
