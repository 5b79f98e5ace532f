import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalIp, checkLegacyIp, familyOfIp } from "./ip-addresses.ts";

const MALFORMED = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

test.each([
  ["10.9.8.7", []],
  ["2001:DB8::0001", []],
  ["010.9.8.7", ["must not have leading 0s"]],
  ["::ffff:1.2.3.4", ["must not be an IPv4-mapped IPv6 address"]],
  ["::ffff:01.2.3.4", ["must not have leading 0s"]],
  ["", [MALFORMED]],
  ["1.2.3", [MALFORMED]],
  ["1.2.3.256", [MALFORMED]],
  ["fe80::1%eth0", [MALFORMED]],
])("an old field says of %j: %j", (text, problems) => {
  expect(checkLegacyIp(text)).toEqual(problems);
});

test("an address has one canonical form, of the same family", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const canonical = canonicalIp(text);
      expect(canonicalIp(canonical)).toBe(canonical);
      expect(familyOfIp(canonical)).toBe(familyOfIp(text));
    }),
  );
});

test("a text of a million digits is looked at in no time", () => {
  for (const part of ["1", "1.", ":", "0"]) {
    expect(checkLegacyIp(part.repeat(1_000_000))).toEqual([MALFORMED]);
  }
});
