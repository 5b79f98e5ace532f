import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Backoff, backoffDelay } from "./backoff.ts";
import { seededRandom } from "./seeded-random.ts";

test("delays double from one second and stop at thirty by default", () => {
  const delays = Array.from({ length: 7 }, (_, index) => backoffDelay(index + 1));
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test("delays never shrink and never pass the maximum, for any options", () => {
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.double({ min: 1, max: 1000, noNaN: true }),
      fc.nat(100_000),
      (initial, factor, max) => {
        let last = 0;
        for (const failures of [1, 2, 3, 10, 100, 10_000, Number.MAX_SAFE_INTEGER]) {
          const delay = backoffDelay(failures, { initial, factor, max });
          expect(delay).toBeGreaterThanOrEqual(last);
          expect(delay).toBeLessThanOrEqual(max);
          last = delay;
        }
        expect(backoffDelay(1, { initial, factor, max })).toBe(Math.min(initial, max));
      },
    ),
  );
});

test("jitter takes away at most its share", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 40 }),
      (seed, jitter, failures) => {
        const full = backoffDelay(failures);
        const delay = backoffDelay(failures, { jitter, random: seededRandom(seed) });
        expect(delay).toBeLessThanOrEqual(full);
        expect(delay).toBeGreaterThanOrEqual(full * (1 - jitter) - 1e-9);
      },
    ),
  );
});

test("jitter uses the whole of its share", () => {
  const random = seededRandom("jitter");
  const delays = Array.from({ length: 1000 }, () => backoffDelay(1, { jitter: 0.5, random }));
  expect(Math.min(...delays)).toBeLessThan(510);
  expect(Math.max(...delays)).toBeGreaterThan(990);
});

test("a backoff counts failures until it is reset", () => {
  const backoff = new Backoff({ initial: "10ms", factor: 3, max: "1s" });
  expect([backoff.next(), backoff.next(), backoff.next()]).toEqual([10, 30, 90]);
  expect(backoff.failures).toBe(3);
  backoff.reset();
  expect(backoff.failures).toBe(0);
  expect(backoff.next()).toBe(10);
});

test.each([
  [{ initial: -1 }, "initial: expected"],
  [
    { max: "never" },
    'max: expected milliseconds of at least 0 or text like "250ms", "1s", "1m30s", "2h", got "never"',
  ],
  [{ factor: 0.5 }, "factor: expected a number of at least 1, got 0.5"],
  [{ factor: Number.POSITIVE_INFINITY }, "factor: expected"],
  [{ jitter: 1.5 }, "jitter: expected a number from 0 to 1, got 1.5"],
  [{ jitter: 0.1 }, "random: expected a Random, because jitter is above 0, got undefined"],
])("%j is refused", (options, message) => {
  expect(() => new Backoff(options)).toThrow(message);
  expect(() => backoffDelay(1, options)).toThrow(message);
});

test("failures are counted from 1", () => {
  expect(() => backoffDelay(0)).toThrow("failures: expected a number of at least 1, got 0");
});
