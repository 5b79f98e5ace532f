import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { ManualClock } from "./manual-clock.ts";
import { timeoutSignal } from "./timeout-signal.ts";

test("aborts with a timeout error that names the time given", async () => {
  const clock = new ManualClock();
  const { signal } = timeoutSignal(clock, "1m30s");
  await clock.advance("1m29s");
  expect(signal.aborted).toBe(false);
  await clock.advance("1s");
  expect(signal.reason).toMatchObject({
    name: "TimeoutError",
    code: "TIMEOUT",
    timeout: 90_000,
    message: "expected an end within 1m30s, got none",
  });
});

test("disposing drops timer and listener", async () => {
  const clock = new ManualClock();
  const parent = new AbortController();
  {
    using timeout = timeoutSignal(clock, "5s", { signal: parent.signal });
    expect(timeout.signal.aborted).toBe(false);
    expect(clock.pending).toBe(1);
  }
  expect(clock.pending).toBe(0);
  expect(getEventListeners(parent.signal, "abort")).toEqual([]);
});

test("the parent's abort comes through with its reason and drops the timer", () => {
  const clock = new ManualClock();
  const parent = new AbortController();
  const { signal } = timeoutSignal(clock, "5s", { signal: parent.signal });
  parent.abort("shutdown");
  expect(signal.reason).toBe("shutdown");
  expect(clock.pending).toBe(0);
  expect(timeoutSignal(clock, "5s", { signal: parent.signal }).signal.reason).toBe("shutdown");
  expect(clock.pending).toBe(0);
});

test("the parent is let go when the time has passed", async () => {
  const clock = new ManualClock();
  const parent = new AbortController();
  const { signal } = timeoutSignal(clock, "5s", { signal: parent.signal });
  await clock.advance("5s");
  expect(signal.aborted).toBe(true);
  expect(getEventListeners(parent.signal, "abort")).toEqual([]);
});
