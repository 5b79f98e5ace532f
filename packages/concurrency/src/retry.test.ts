import { expect, test } from "vitest";
import { ManualClock } from "./manual-clock.ts";
import { type AttemptFailure, retry } from "./retry.ts";
import { seededRandom } from "./seeded-random.ts";

test("tries three times in all by default and throws the last error as it is", async () => {
  const clock = new ManualClock();
  const times: number[] = [];
  const failures: AttemptFailure[] = [];
  const errors = [new Error("one"), new Error("two"), new Error("three")];
  const trying = retry(
    ({ attempt }) => {
      times.push(clock.monotonic());
      throw errors[attempt - 1] ?? new Error("one try too many");
    },
    { clock, onFailure: (failure) => failures.push(failure) },
  );
  await expect(clock.runUntil(trying)).rejects.toBe(errors[2]);
  expect(times).toEqual([0, 1000, 3000]);
  expect(failures).toEqual([
    { attempt: 1, maxAttempts: 3, error: errors[0], nextDelay: 1000 },
    { attempt: 2, maxAttempts: 3, error: errors[1], nextDelay: 2000 },
    { attempt: 3, maxAttempts: 3, error: errors[2], nextDelay: undefined },
  ]);
  expect(clock.pending).toBe(0);
});

test("gives the first success and tries no more", async () => {
  const clock = new ManualClock();
  let tries = 0;
  const trying = retry(
    async ({ attempt }) => {
      tries += 1;
      if (attempt < 4) throw new Error("not yet");
      return `attempt ${attempt}`;
    },
    { clock, maxAttempts: 10, initial: "100ms", factor: 10, max: "2s" },
  );
  expect(await clock.runUntil(trying)).toBe("attempt 4");
  expect([tries, clock.monotonic()]).toEqual([4, 100 + 1000 + 2000]);
});

test("an error that another try cannot help is thrown at once", async () => {
  const clock = new ManualClock();
  const failures: AttemptFailure[] = [];
  const trying = retry(
    () => {
      throw new TypeError("wrong for ever");
    },
    {
      clock,
      retryable: (error) => !(error instanceof TypeError),
      onFailure: (failure) => failures.push(failure),
    },
  );
  await expect(trying).rejects.toThrow(new TypeError("wrong for ever"));
  expect(failures.map(({ attempt, nextDelay }) => [attempt, nextDelay])).toEqual([[1, undefined]]);
});

test("an abort ends the delay with the reason", async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  let tries = 0;
  const trying = retry(
    () => {
      tries += 1;
      throw new Error("broken");
    },
    { clock, signal: controller.signal },
  );
  await clock.settle();
  expect(clock.pending).toBe(1);
  controller.abort(new Error("shutdown"));
  await expect(trying).rejects.toThrow("shutdown");
  expect([tries, clock.pending]).toEqual([1, 0]);
});

test("an abort inside an attempt ends with the reason, and before the first nothing is tried", async () => {
  const controller = new AbortController();
  const seen: (number | undefined)[] = [];
  const trying = retry(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("connection torn")));
      }),
    {
      clock: new ManualClock(),
      signal: controller.signal,
      onFailure: ({ nextDelay }) => seen.push(nextDelay),
    },
  );
  controller.abort(new Error("shutdown"));
  await expect(trying).rejects.toThrow("shutdown");
  expect(seen).toEqual([undefined]);

  let tries = 0;
  await expect(retry(() => ++tries, { signal: controller.signal })).rejects.toThrow("shutdown");
  expect(tries).toBe(0);
});

test("jitter comes from the given random and is what the failure reports", async () => {
  const run = async (): Promise<(number | undefined)[]> => {
    const clock = new ManualClock();
    const delays: (number | undefined)[] = [];
    const trying = retry(
      () => {
        throw new Error("broken");
      },
      {
        clock,
        jitter: 0.5,
        random: seededRandom(7),
        maxAttempts: 5,
        onFailure: ({ nextDelay }) => delays.push(nextDelay),
      },
    );
    await expect(clock.runUntil(trying)).rejects.toThrow("broken");
    expect(clock.monotonic()).toBeCloseTo(
      delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0),
    );
    return delays;
  };
  const delays = await run();
  expect(delays).toEqual(await run());
  expect(delays.slice(0, 4)).not.toEqual([1000, 2000, 4000, 8000]);
});

test("without a clock it waits in real time", async () => {
  const result = await retry(
    ({ attempt }) => {
      if (attempt === 1) throw new Error("once");
      return attempt;
    },
    { initial: 1, jitter: 1 },
  );
  expect(result).toBe(2);
});

test.each([0, 1.5, Number.NaN])("maxAttempts of %d is refused", async (maxAttempts) => {
  await expect(retry(() => 1, { maxAttempts })).rejects.toThrow(
    `maxAttempts: expected a whole number of at least 1, got ${maxAttempts}`,
  );
});
