import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DurationError, durationToMilliseconds, parseDuration, printDuration } from "./duration.ts";

test.each([
  ["0", 0n, "0s"],
  ["-0", 0n, "0s"],
  ["1s", 1_000_000_000n, "1s"],
  ["1h30m", 5_400_000_000_000n, "1h30m0s"],
  ["90m", 5_400_000_000_000n, "1h30m0s"],
  ["1.5h", 5_400_000_000_000n, "1h30m0s"],
  ["100ms", 100_000_000n, "100ms"],
  ["1.5s", 1_500_000_000n, "1.5s"],
  [".5s", 500_000_000n, "500ms"],
  ["1.s", 1_000_000_000n, "1s"],
  ["+5s", 5_000_000_000n, "5s"],
  ["-1m", -60_000_000_000n, "-1m0s"],
  ["1us", 1_000n, "1\u00b5s"],
  ["1\u00b5s", 1_000n, "1\u00b5s"],
  ["1\u03bcs", 1_000n, "1\u00b5s"],
  ["1.5us", 1_500n, "1.5\u00b5s"],
  ["999ns", 999n, "999ns"],
  ["3s2h", 7_203_000_000_000n, "2h0m3s"],
  ["0.3333333333333333333h", 1_200_000_000_000n, "20m0s"],
  ["9223372036854775807ns", 2n ** 63n - 1n, "2562047h47m16.854775807s"],
  ["-9223372036854775808ns", -(2n ** 63n), "-2562047h47m16.854775808s"],
])("%j is %d nanoseconds and prints as %j", (text, nanoseconds, printed) => {
  expect(parseDuration(text)).toBe(nanoseconds);
  expect(printDuration(nanoseconds)).toBe(printed);
});

test.each([
  ["", 'time: invalid duration ""'],
  ["+", 'time: invalid duration "+"'],
  [".", 'time: invalid duration "."'],
  ["-.s", 'time: invalid duration "-.s"'],
  ["s", 'time: invalid duration "s"'],
  ["1", 'time: missing unit in duration "1"'],
  ["00", 'time: missing unit in duration "00"'],
  ["1h2", 'time: missing unit in duration "1h2"'],
  ["1d", 'time: unknown unit "d" in duration "1d"'],
  ["1 s", 'time: unknown unit " s" in duration "1 s"'],
  ['1"\u00e9', 'time: unknown unit "\\"\\xc3\\xa9" in duration "1\\"\\xc3\\xa9"'],
  ["9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'],
  ["-9223372036854775809ns", 'time: invalid duration "-9223372036854775809ns"'],
  ["3000000h", 'time: invalid duration "3000000h"'],
  ["99999999999999999999s", 'time: invalid duration "99999999999999999999s"'],
])("%j is refused in Go's words", (text, message) => {
  expect(() => parseDuration(text)).toThrow(new DurationError(message, text));
});

test("printing and parsing again gives the same duration", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (duration) => {
      expect(parseDuration(printDuration(duration))).toBe(duration);
    }),
  );
});

test("terms add up in any order", () => {
  const term = fc.tuple(fc.nat(1000), fc.constantFrom("ns", "us", "ms", "s", "m", "h"));
  fc.assert(
    fc.property(fc.array(term, { minLength: 1 }), (terms) => {
      const texts = terms.map(([count, unit]) => count + unit);
      const sum = texts.reduce((total, text) => total + parseDuration(text), 0n);
      expect(parseDuration(texts.join(""))).toBe(sum);
    }),
  );
});

test("clocks count in milliseconds", () => {
  expect(durationToMilliseconds(parseDuration("1m30s"))).toBe(90_000);
  expect(durationToMilliseconds(parseDuration("1us"))).toBe(0.001);
});
