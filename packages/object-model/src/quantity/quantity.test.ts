import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalizeQuantity, Quantity } from "./quantity.ts";
import { QuantityError, QuantityRangeError } from "./quantity-error.ts";

const DECIMAL_SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY_SUFFIXES = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

const suffix = fc.oneof(
  fc.constantFrom(...DECIMAL_SUFFIXES, ...BINARY_SUFFIXES),
  fc.tuple(fc.constantFrom("e", "E"), fc.integer({ min: -30, max: 30 })).map(([e, n]) => e + n),
);
const digits = fc.stringMatching(/^[0-9]{0,25}$/);
const quantityText = fc
  .tuple(fc.constantFrom("", "-", "+"), digits, fc.option(digits), suffix)
  .filter(([, whole, fraction]) => whole + (fraction ?? "") !== "")
  .map(([sign, whole, fraction, end]) => sign + whole + (fraction ? `.${fraction}` : "") + end);
const quantity = quantityText.map((text) => Quantity.parse(text));

test.each([
  // Canonical already, in each of the three formats.
  ["0", "0"],
  ["5n", "5n"],
  ["4u", "4u"],
  ["500m", "500m"],
  ["9", "9"],
  ["50k", "50k"],
  ["1E", "1E"],
  ["8Ki", "8Ki"],
  ["100Ti", "100Ti"],
  ["3Ei", "3Ei"],
  ["1e3", "1e3"],
  ["100e-3", "100e-3"],
  // The largest suffix without a fraction.
  ["1000m", "1"],
  ["1000", "1k"],
  ["1500000", "1500k"],
  ["1024Mi", "1Gi"],
  ["2048Ki", "2Mi"],
  ["1.5", "1500m"],
  ["0.5Gi", "512Mi"],
  ["8.1k", "8100"],
  [".0001k", "100m"],
  ["1.G", "1G"],
  ["1e14", "100e12"],
  ["0.5e-1", "50e-3"],
  ["-1.5", "-1500m"],
  // A binary quantity that would not be exact, or is too small for a suffix, is decimal.
  ["1Ki", "1Ki"],
  ["0.5Ki", "512"],
  ["1023.5Ki", "1048064"],
  ["100.035Ki", "102435840m"],
  ["0.000000000001Ki", "2n"],
  ["1.5Ki", "1536"],
  // Rounded away from zero at a nano; binary quantities stop at 2^63-1.
  ["3.001n", "4n"],
  ["-3.001n", "-4n"],
  ["1e-10", "1e-9"],
  ["0.00000012345", "124n"],
  ["9Ei", "9223372036854775807"],
  ["-9Ei", "-9223372036854775807"],
  ["9223372036854775807Ki", "9223372036854775807"],
  ["12E", "12E"],
  ["12345678901234567890", "12345678901234567890"],
  // Zeros of all kinds, also where no digit is written.
  ["-0", "0"],
  ["+0.0", "0"],
  ["0Ki", "0"],
  ["m", "0"],
  [".", "0"],
  ["-", "0"],
])("%j is %j in canonical form", (text, canonical) => {
  expect(Quantity.parse(text).canonical()).toBe(canonical);
});

test.each([
  ["1.500", "1.500"],
  ["001", "001"],
  ["+1", "+1"],
  ["1E3", "1E3"],
  ["1.000100", "1.000100"],
  ["12Ki", "12Ki"],
  ["1024Ki", "1Mi"],
  ["1000m", "1"],
  ["0.50", "500m"],
  ["1e14", "100e12"],
])("%j prints as %j, as kube-apiserver stores it", (text, printed) => {
  expect(Quantity.parse(text).toString()).toBe(printed);
  expect(canonicalizeQuantity(text)).toBe(printed);
});

test("a kept text is lost as soon as something is computed", () => {
  expect(String(Quantity.parse("1.500").add(Quantity.parse("0")))).toBe("1500m");
  expect(String(Quantity.parse("+1").negate())).toBe("-1");
});

test.each([
  ["", /must match the regular expression/],
  ["1 ", /must match the regular expression/],
  [" 1", /must match the regular expression/],
  ["1.1.M", /must match the regular expression/],
  ["1+1.0M", /must match the regular expression/],
  ["aoeu", /must match the regular expression/],
  ["1_", /must match the regular expression/],
  ["1é", /must match the regular expression/],
  ["0.1mi", /suffix/],
  ["1i", /suffix/],
  ["1e", /suffix/],
  ["1e+", /suffix/],
  ["1ee3", /suffix/],
  ["1-5", /suffix/],
  ["1e4294967296", /suffix/],
  ["Ei", /numeric part/],
  [".Ei", /numeric part/],
])("%j is no quantity", (text, message) => {
  expect(() => Quantity.parse(text)).toThrow(message);
  expect(() => Quantity.parse(text)).toThrow(QuantityError);
});

test("the messages for malformed quantities are Kubernetes' own", () => {
  expect(() => Quantity.parse("1x")).toThrow(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
  expect(() => Quantity.parse("1Kb")).toThrow(QuantityError);
  expect(() => Quantity.parse("1K")).toThrow("unable to parse quantity's suffix");
  expect(() => Quantity.parse("Ei")).toThrow("unable to parse numeric part of quantity");
});

test("what lies beyond the largest suffix keeps its value, where Kubernetes drops it", () => {
  expect(String(Quantity.parse("1000E"))).toBe("1000E");
  const capped = Quantity.parse("9Ei");
  expect(String(Quantity.of(2n ** 70n, { format: "BinarySI" }))).toBe("1024Ei");
  expect(capped.add(capped).value()).toBe(2n ** 64n - 2n);
});

test("JSON fields may have white space around them, or be numbers", () => {
  expect(canonicalizeQuantity(" 1Gi\n")).toBe("1Gi");
  expect(canonicalizeQuantity(1.5)).toBe("1500m");
  expect(canonicalizeQuantity(2n ** 63n)).toBe("9223372036854775808");
  expect(JSON.stringify({ cpu: Quantity.parse("1000m") })).toBe('{"cpu":"1"}');
});

test("values are rounded away from zero", () => {
  expect(Quantity.parse("1500m").value()).toBe(2n);
  expect(Quantity.parse("-1500m").value()).toBe(-2n);
  expect(Quantity.parse("1").milliValue()).toBe(1000n);
  expect(Quantity.parse("1u").milliValue()).toBe(1n);
  expect(Quantity.parse("0").scaledValue(3)).toBe(0n);
  expect(Quantity.parse("2500").scaledValue(3)).toBe(3n);
  expect(Quantity.parse("1Ki").value()).toBe(1024n);
});

test("rounding up keeps what is coarse enough and rounds the rest away from zero", () => {
  const number = Quantity.parse("9.01");
  expect(String(number.roundUp(-2))).toBe("9010m");
  expect(String(number.roundUp(-1))).toBe("9100m");
  expect(String(number.roundUp(0))).toBe("10");
  expect(String(number.roundUp(2))).toBe("100");
  expect(String(number.negate().roundUp(1))).toBe("-10");
});

test("a sum has the format of the first that is not zero", () => {
  const gibibyte = Quantity.parse("1Gi");
  expect(String(Quantity.parse("0").add(gibibyte))).toBe("1Gi");
  expect(String(gibibyte.add(Quantity.parse("1G")))).toBe("2073741824");
  expect(String(Quantity.parse("1k").add(Quantity.parse("1Ki")))).toBe("2024");
  expect(String(Quantity.parse("0").subtract(gibibyte))).toBe("-1Gi");
});

test("floats are the nearest, and infinite beyond their range", () => {
  expect(Quantity.parse("100m").toNumber()).toBe(0.1);
  expect(Quantity.parse("1Gi").toNumber()).toBe(2 ** 30);
  expect(Quantity.parse("-1e400").toNumber()).toBe(Number.NEGATIVE_INFINITY);
});

test("exponents that no machine could write out are compared and printed all the same", () => {
  const huge = Quantity.parse("1e2000000000");
  expect(String(huge)).toBe("100e1999999998");
  expect(huge.compare(Quantity.parse("9Ei"))).toBe(1);
  expect(huge.negate().compare(Quantity.parse("1"))).toBe(-1);
  expect(String(Quantity.parse("1e-2000000000"))).toBe("1e-9");
  expect(() => huge.value()).toThrow(QuantityRangeError);
  expect(() => huge.add(Quantity.parse("1"))).toThrow(QuantityRangeError);
});

test("a text of a million digits is refused at once", () => {
  expect(() => Quantity.parse("7".repeat(1_000_000))).toThrow(
    "expected a quantity of at most 10000 digits, got one of 1000000",
  );
  expect(() => Quantity.parse(`0.${"1".repeat(1_000_000)}Gi`)).toThrow(QuantityRangeError);
});

test("printing and parsing again gives the same value and the same text", () => {
  fc.assert(
    fc.property(quantity, (before) => {
      const after = Quantity.parse(before.toString());
      expect(after.compare(before)).toBe(0);
      expect(after.toString()).toBe(before.toString());
      expect(Quantity.parse(before.canonical()).canonical()).toBe(before.canonical());
    }),
  );
});

test("adding is exact", () => {
  const nanos = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
  fc.assert(
    fc.property(nanos, nanos, (a, b) => {
      const [left, right] = [a, b].map((value) => Quantity.of(value, { exponent: -9 }));
      expect(left!.add(right!).scaledValue(-9)).toBe(a + b);
      expect(left!.subtract(right!).scaledValue(-9)).toBe(a - b);
      expect(left!.multiply(3).scaledValue(-9)).toBe(3n * a);
    }),
  );
});

test("adding and taking away again changes nothing", () => {
  fc.assert(
    fc.property(quantity, quantity, (a, b) => {
      expect(a.add(b).subtract(b).equals(a)).toBe(true);
      expect(a.add(b).equals(b.add(a))).toBe(true);
    }),
  );
});

test("the order is total and agrees with subtraction", () => {
  fc.assert(
    fc.property(quantity, quantity, quantity, (a, b, c) => {
      expect(a.compare(b)).toBe(a.subtract(b).sign());
      expect(b.compare(a) + a.compare(b)).toBe(0);
      const ordered = [a, b, c].sort((left, right) => left.compare(right));
      expect(ordered[0]!.compare(ordered[2]!)).toBeLessThanOrEqual(0);
    }),
  );
});

test("parsing anything gives a quantity or a quantity error", () => {
  const nearly = fc.stringMatching(/^[+-]?[0-9.]{0,12}[eEinumkKMGTPx]{0,3}[+-]?[0-9]{0,3}$/);
  fc.assert(
    fc.property(fc.oneof(nearly, fc.string()), (text) => {
      const error = refusal(text);
      expect(error === undefined || error instanceof QuantityError).toBe(true);
    }),
  );
});

function refusal(text: string): unknown {
  try {
    Quantity.parse(text).toString();
    return undefined;
  } catch (error) {
    return error;
  }
}
