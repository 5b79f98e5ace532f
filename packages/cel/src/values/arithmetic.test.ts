import * as fc from "fast-check";
import { expect, test } from "vitest";
import { add, divide, modulo, multiply, negate, subtract } from "./arithmetic.ts";
import { compareValues } from "./compare.ts";
import { toInt, toUint } from "./convert.ts";
import { equalValues } from "./equality.ts";
import { Failure } from "./failure.ts";
import { Duration, Timestamp } from "./time-value.ts";
import { isUint, Uint } from "./uint-value.ts";
import type { Value } from "./value.ts";

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
const edges = fc.constantFrom(MIN, MIN + 1n, -1n, 0n, 1n, MAX - 1n, MAX, 3_037_000_500n);
const int = fc.oneof(
  edges,
  fc.bigInt({ min: MIN, max: MAX }),
  fc.bigInt({ min: -100n, max: 100n }),
);
const uint = int.map((value) => new Uint(BigInt.asUintN(64, value)));

function shown(value: Value): unknown {
  if (value instanceof Failure) return value.message;
  return isUint(value) ? value.value : value;
}

test("ints compute like integers that fit 64 bits, and fail where they do not fit", () => {
  const fitting = (value: bigint): bigint | string =>
    value < MIN || value > MAX ? "integer overflow" : value;
  fc.assert(
    fc.property(int, int, (a, b) => {
      expect(shown(add(a, b))).toBe(fitting(a + b));
      expect(shown(subtract(a, b))).toBe(fitting(a - b));
      expect(shown(multiply(a, b))).toBe(fitting(a * b));
      expect(shown(negate(a))).toBe(fitting(-a));
      expect(shown(divide(a, b))).toBe(b === 0n ? "division by zero" : fitting(a / b));
      const remainder =
        b === -1n && a === MIN ? "integer overflow" : b === 0n ? "modulus by zero" : a % b;
      expect(shown(modulo(a, b))).toBe(remainder);
    }),
  );
});

test("uints compute like natural numbers that fit 64 bits", () => {
  const fitting = (value: bigint): bigint | string =>
    value < 0n || value >= 2n ** 64n ? "unsigned integer overflow" : value;
  fc.assert(
    fc.property(uint, uint, (a, b) => {
      expect(shown(add(a, b))).toBe(fitting(a.value + b.value));
      expect(shown(subtract(a, b))).toBe(fitting(a.value - b.value));
      expect(shown(multiply(a, b))).toBe(fitting(a.value * b.value));
      expect(shown(divide(a, b))).toBe(b.value === 0n ? "division by zero" : a.value / b.value);
    }),
  );
});

test("times and durations add up", () => {
  const seconds = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 });
  fc.assert(
    fc.property(
      seconds,
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
      (second, nanos, by) => {
        const start = new Timestamp(second, nanos);
        const end = add(start, new Duration(by));
        fc.pre(end instanceof Timestamp);
        expect(equalValues(subtract(end, start), new Duration(by))).toBe(true);
        expect(equalValues(subtract(end, new Duration(by)), start)).toBe(true);
      },
    ),
  );
});

test("numbers of different types are ordered and equal by value", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 53n }),
      fc.bigInt({ min: 0n, max: 2n ** 53n }),
      (a, b) => {
        const forms = (value: bigint): Value[] => [value, Number(value), new Uint(value)];
        for (const x of forms(a)) {
          for (const y of forms(b)) {
            expect(Math.sign(compareValues(x, y) as number)).toBe(a < b ? -1 : a > b ? 1 : 0);
            expect(equalValues(x, y)).toBe(a === b);
          }
        }
      },
    ),
  );
});

test("NaN equals nothing and has no order", () => {
  expect(equalValues(Number.NaN, Number.NaN)).toBe(false);
  expect(shown(compareValues(Number.NaN, 1) as Value)).toBe("NaN values cannot be ordered");
});

const codePoint = fc.oneof(
  fc.integer({ min: 0, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0x10ffff }),
);
const text = fc
  .array(codePoint, { maxLength: 6 })
  .map((codes) => codes.map((code) => String.fromCodePoint(code)).join(""));

test("texts are ordered by code points", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const encoder = new TextEncoder();
      const [x, y] = [encoder.encode(a), encoder.encode(b)];
      expect(Math.sign(compareValues(a, b) as number)).toBe(
        Math.sign(compareValues(x, y) as number),
      );
    }),
  );
});

test("a conversion between int and uint keeps the value or fails", () => {
  fc.assert(
    fc.property(int, (value) => {
      const converted = toUint(value);
      const back = isUint(converted) ? toInt(converted) : shown(converted);
      expect(back).toBe(value < 0n ? "unsigned integer overflow" : value);
    }),
  );
});
