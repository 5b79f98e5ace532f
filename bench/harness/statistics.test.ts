import * as fc from "fast-check";
import { expect, test } from "vitest";
import { median, medianInterval, percentile, ratioInterval } from "./statistics.ts";

const samples = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1 });

/** The same numbers every time. */
function seeded(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test("percentiles lie between neighbouring samples", () => {
  expect(percentile([30, 10, 20], 0)).toBe(10);
  expect(percentile([30, 10, 20], 1)).toBe(30);
  expect(percentile([10, 20], 0.99)).toBeCloseTo(19.9);
  expect(median([5, 1, 100])).toBe(5);
  expect(median([1, 2, 3, 4])).toBe(2.5);
  expect(median([7])).toBe(7);
});

test("a percentile never falls as its share rises and never leaves the samples' range", () => {
  fc.assert(
    fc.property(samples, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const value = percentile(values, share);
      expect(value).toBeGreaterThanOrEqual(Math.min(...values));
      expect(value).toBeLessThanOrEqual(Math.max(...values));
      expect(value).toBeLessThanOrEqual(percentile(values, Math.min(1, share + 0.1)));
    }),
  );
});

test("no samples and shares that are none are refused", () => {
  expect(() => percentile([], 0.5)).toThrow("no samples");
  expect(() => percentile([1], 99)).toThrow("got 99");
  expect(() => percentile([1], Number.NaN)).toThrow("got NaN");
  expect(() => medianInterval([])).toThrow("no samples");
});

test("equal samples leave no doubt about the median", () => {
  expect(medianInterval([4, 4, 4], { random: seeded() })).toEqual({ low: 4, high: 4 });
});

test("the interval surrounds the median and is wider where samples scatter", () => {
  const calm = medianInterval([99, 100, 101, 100, 99, 101, 100], { random: seeded() });
  const wild = medianInterval([40, 100, 160, 100, 40, 160, 100], { random: seeded() });
  expect(calm.low).toBeLessThanOrEqual(100);
  expect(calm.high).toBeGreaterThanOrEqual(100);
  expect(wild.high - wild.low).toBeGreaterThan(calm.high - calm.low);
});

test("a ratio's interval holds the ratio of the medians", () => {
  const { low, high } = ratioInterval([200, 210, 190, 205, 195], [20, 21, 19, 20.5, 19.5], {
    random: seeded(),
  });
  expect(low).toBeLessThan(10);
  expect(high).toBeGreaterThan(10);
  expect(low).toBeGreaterThan(8);
  expect(high).toBeLessThan(12);
});
