import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareSemver, parseNormalizedSemver, parseSemver, printSemver } from "./semver.ts";

const identifier = fc.oneof(
  fc.nat(20).map(String),
  fc.constantFrom("alpha", "beta", "rc", "a-b", "0a"),
);
const version = fc
  .record({
    numbers: fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)),
    prerelease: fc.array(identifier, { maxLength: 3 }),
    build: fc.array(identifier, { maxLength: 2 }),
  })
  .map(({ numbers, prerelease, build }) => {
    const before = prerelease.length === 0 ? "" : `-${prerelease.join(".")}`;
    return numbers.join(".") + before + (build.length === 0 ? "" : `+${build.join(".")}`);
  });

test("a version prints as it was written", () => {
  fc.assert(
    fc.property(version, (text) => {
      expect(printSemver(parseSemver(text))).toBe(text);
      expect(printSemver(parseNormalizedSemver(`v${text}`))).toBe(text);
    }),
  );
});

test("comparing is an order", () => {
  fc.assert(
    fc.property(version, version, version, (x, y, z) => {
      const [a, b, c] = [parseSemver(x), parseSemver(y), parseSemver(z)];
      expect(compareSemver(a, b) + compareSemver(b, a)).toBe(0);
      const isAscending = compareSemver(a, b) <= 0 && compareSemver(b, c) <= 0;
      expect(isAscending && compareSemver(a, c) > 0).toBe(false);
    }),
  );
});

test("prereleases come in the order of the specification", () => {
  const texts = ["alpha", "alpha.1", "alpha.beta", "beta", "beta.2", "beta.11", "rc.1"];
  const versions = [...texts.map((text) => parseSemver(`1.0.0-${text}`)), parseSemver("1.0.0")];
  expect(versions.toReversed().toSorted(compareSemver)).toEqual(versions);
});

test("normalizing fills in what is missing and drops what is too much", () => {
  expect(printSemver(parseNormalizedSemver("v1"))).toBe("1.0.0");
  expect(printSemver(parseNormalizedSemver("01.002"))).toBe("1.2.0");
  expect(() => parseNormalizedSemver("1.0-rc")).toThrow(
    "short version cannot contain PreRelease/Build meta data",
  );
});

test.each([
  ["", "Version string empty"],
  ["1.2", "No Major.Minor.Patch elements found"],
  ["1.x.3", 'Invalid character(s) found in minor number "x"'],
  ["01.2.3", 'Major number must not contain leading zeroes "01"'],
  ["1.2.3-", "Prerelease is empty"],
  ["1.2.3-01", 'Numeric PreRelease version must not contain leading zeroes "01"'],
  ["1.2.3+a_b", 'Invalid character(s) found in build meta data "a_b"'],
  [".2.3", 'strconv.ParseUint: parsing "": invalid syntax'],
])("refuses %j", (text, message) => {
  expect(() => parseSemver(text)).toThrow(message);
});

test("refuses a number beyond 64 bits without reading it all", () => {
  expect(() => parseSemver("18446744073709551616.0.0")).toThrow("value out of range");
  expect(() => parseSemver(`${"9".repeat(100_000)}.0.0`)).toThrow("value out of range");
  expect(parseSemver("18446744073709551615.0.0").major).toBe(2n ** 64n - 1n);
});
