import { Quantity } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addAmounts, approximateFloatOf, integerOf, parseAmount } from "./quantity-amount.ts";

const suffix = fc.constantFrom(
  "",
  "n",
  "u",
  "m",
  "k",
  "M",
  "G",
  "Ki",
  "Mi",
  "Gi",
  "Ei",
  "e3",
  "e-12",
);
const text = fc
  .record({
    sign: fc.constantFrom("", "-", "+"),
    whole: fc.bigInt({ min: 0n, max: 10n ** 22n }),
    fraction: fc.option(fc.stringMatching(/^[0-9]{0,12}$/), { nil: undefined }),
    suffix,
  })
  .map(({ sign, whole, fraction, suffix: unit }) => {
    return `${sign}${whole}${fraction === undefined ? "" : `.${fraction}`}${unit}`;
  });

test("an amount is the number of its quantity", () => {
  fc.assert(
    fc.property(text, (input) => {
      const amount = parseAmount(input);
      const same = Quantity.of(amount.value, { exponent: amount.exponent });
      expect(same.compare(Quantity.parse(input))).toBe(0);
    }),
  );
});

test("a sum is the sum of the quantities", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const sum = addAmounts(parseAmount(a), parseAmount(b));
      const same = Quantity.of(sum.value, { exponent: sum.exponent });
      expect(same.compare(Quantity.parse(a).add(Quantity.parse(b)))).toBe(0);
    }),
  );
});

test("an integer is one only where 64 bits hold it without a fraction", () => {
  expect(integerOf(parseAmount("50k"))).toBe(50_000n);
  expect(integerOf(parseAmount("1Gi"))).toBe(2n ** 30n);
  expect(integerOf(parseAmount("1000m"))).toBeUndefined();
  expect(integerOf(parseAmount("1Ei"))).toBeUndefined();
  expect(integerOf(parseAmount("9223372036854775807"))).toBeUndefined();
  expect(integerOf(parseAmount("0e2000000000"))).toBe(0n);
});

test("floats are the value times a power of ten", () => {
  expect(approximateFloatOf(parseAmount("3.3"))).toBe(33 * 10 ** -1);
  expect(approximateFloatOf(parseAmount("1e2000000000"))).toBe(Number.POSITIVE_INFINITY);
  expect(approximateFloatOf(parseAmount("1e-2000000000"))).toBe(1e-9);
});

test("sums of numbers far apart take no time", () => {
  const far = addAmounts(parseAmount("1e2000000000"), parseAmount("1n"));
  expect(approximateFloatOf(far)).toBe(Number.POSITIVE_INFINITY);
});
