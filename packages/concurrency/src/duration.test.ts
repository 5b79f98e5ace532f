import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatDuration, toMilliseconds } from "./duration.ts";

test.each([
  [0, 0],
  [1.5, 1.5],
  ["0", 0],
  ["250ms", 250],
  ["1s", 1000],
  ["1m30s", 90_000],
  ["2h", 7_200_000],
  ["1.5h", 5_400_000],
  ["1.005s", 1005],
  ["7d", 604_800_000],
  ["1d2h3m4s5ms", 93_784_005],
  ["0.25ms", 0.25],
])("%j is %d ms", (duration, milliseconds) => {
  expect(toMilliseconds(duration)).toBe(milliseconds);
});

test.each([
  "",
  " ",
  "5",
  "s",
  "-1s",
  "+1s",
  "1s1m",
  "1s1s",
  "1 s",
  ".5s",
  "1.s",
  "1e3s",
  "1S",
  "1us",
  "99999999999999s",
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
])("%j is refused with what was got and what was expected", (duration) => {
  const got = typeof duration === "string" ? JSON.stringify(duration) : String(duration);
  expect(() => toMilliseconds(duration, "timeout")).toThrow(
    `timeout: expected milliseconds of at least 0 or text like "250ms", "1s", "1m30s", "2h", got ${got}`,
  );
});

test("what is printed reads back as the same time", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.nat(999), (whole, thousandths) => {
      const milliseconds = Number(`${whole}.${thousandths}`);
      expect(toMilliseconds(formatDuration(milliseconds))).toBe(milliseconds);
    }),
  );
  fc.assert(
    fc.property(fc.maxSafeNat(), (milliseconds) => {
      expect(toMilliseconds(formatDuration(milliseconds))).toBe(milliseconds);
    }),
  );
});

test("printing uses the largest units", () => {
  expect([0, 250, 90_000, 3_600_000, 90_061_001].map(formatDuration)).toEqual([
    "0s",
    "250ms",
    "1m30s",
    "1h",
    "1d1h1m1s1ms",
  ]);
});
