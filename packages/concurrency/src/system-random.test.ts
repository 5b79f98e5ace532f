import { expect, test } from "vitest";
import { systemRandom } from "./system-random.ts";

test("results stay in their range and reach all of it", () => {
  const draws = Array.from({ length: 2000 }, () => systemRandom.below(6));
  expect(new Set(draws)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  expect(systemRandom.below(1)).toBe(0);
  expect(systemRandom.below(2 ** 32)).toBeLessThan(2 ** 32);
  const floats = Array.from({ length: 2000 }, () => systemRandom.float());
  expect(Math.min(...floats)).toBeGreaterThanOrEqual(0);
  expect(Math.min(...floats)).toBeLessThan(0.05);
  expect(Math.max(...floats)).toBeGreaterThan(0.95);
  expect(Math.max(...floats)).toBeLessThan(1);
});

test("bytes and UUIDs do not repeat", () => {
  expect(systemRandom.bytes(32)).toHaveLength(32);
  expect(systemRandom.bytes(32)).not.toEqual(systemRandom.bytes(32));
  expect(systemRandom.uuid()).toMatch(/^[0-9a-f-]{14}4[0-9a-f-]{21}$/);
  expect(systemRandom.uuid()).not.toBe(systemRandom.uuid());
});

test("a bound outside the range is refused", () => {
  expect(() => systemRandom.below(0)).toThrow("bound: expected a whole number from 1 to 2^32");
});
