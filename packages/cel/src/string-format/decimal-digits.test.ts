import * as fc from "fast-check";
import { expect, test } from "vitest";
import { exactDigits, printFixed, roundDigits, shortestDigits } from "./decimal-digits.ts";

const double = fc.double({ noNaN: true, noDefaultInfinity: true });

test("the exact and the shortest digits are read as the same double", () => {
  fc.assert(
    fc.property(double, (value) => {
      for (const { digits, point } of [exactDigits(value), shortestDigits(value)]) {
        expect(Number(`0.${digits}e${point}`)).toBe(Math.abs(value));
      }
    }),
  );
});

test("rounding leaves no more than half a unit, and a half goes to the even side", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.nat(18), (number, count) => {
      const text = number.toString();
      const exact = { digits: text.replace(/0+$/, ""), point: text.length };
      const rounded = roundDigits(exact, count);
      const unit = 10n ** BigInt(Math.max(0, text.length - count));
      const value = BigInt(rounded.digits.padEnd(Math.max(1, rounded.point), "0") || "0");
      const error = value > number ? value - number : number - value;
      const isHalf = error * 2n === unit && unit > 1n;
      expect(error * 2n <= unit).toBe(true);
      expect(isHalf && (value / unit) % 2n === 1n).toBe(false);
    }),
  );
});

test.each([
  [0.125, 2, "0.12"],
  [0.375, 2, "0.38"],
  [2.5, 0, "2"],
  [1e21, 1, "1000000000000000000000.0"],
  [0.1, 20, "0.10000000000000000555"],
  [0.0009, 2, "0.00"],
  [0.009, 2, "0.01"],
  [99.99, 1, "100.0"],
  [5e-324, 3, "0.000"],
])("%d with %d digits is %s", (value, digits, text) => {
  expect(printFixed(exactDigits(value), { min: digits, max: digits })).toBe(text);
});
