import * as fc from "fast-check";
import { expect, test } from "vitest";
import { IpAddress } from "./ip-address.ts";
import { parseIpAddress } from "./parse-ip-address.ts";

const ipv4 = fc.nat(0xffff_ffff).map((bits) => new IpAddress({ family: 4, bits: BigInt(bits) }));
const ipv6 = fc
  .array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.reduce((bits, group) => (bits << 16n) | BigInt(group), 0n))
  .map((bits) => new IpAddress({ family: 6, bits }));

test("what an address prints is read as the same address", () => {
  fc.assert(
    fc.property(fc.oneof(ipv4, ipv6), (address) => {
      const read = parseIpAddress(address.toString());
      expect(read.equals(address)).toBe(true);
      expect(read.toString()).toBe(address.toString());
    }),
  );
});

test("only the first of the longest runs of zeros is left out, and never a single one", () => {
  const canonical = (text: string): string => parseIpAddress(text).toString();
  expect(canonical("2001:db8:0:0:1:0:0:1")).toBe("2001:db8::1:0:0:1");
  expect(canonical("1:0:0:2:0:0:0:3")).toBe("1:0:0:2::3");
  expect(canonical("1:0:2:3:4:5:6:7")).toBe("1:0:2:3:4:5:6:7");
  expect(canonical("0:0:0:0:0:0:0:0")).toBe("::");
  expect(canonical("1:0:0:0:0:0:0:0")).toBe("1::");
  expect(canonical("::FFFF:1.2.3.4")).toBe("::ffff:1.2.3.4");
  expect(canonical("fe80::1%eth0")).toBe("fe80::1%eth0");
});

test.each([
  ["", 'ParseAddr(""): unable to parse IP'],
  ["%eth0", 'ParseAddr("%eth0"): missing IPv6 address'],
  ["1.2.3", 'ParseAddr("1.2.3"): IPv4 address too short'],
  ["1.2.3.04", 'ParseAddr("1.2.3.04"): IPv4 field has octet with leading zero'],
  ["1.2.3.256", 'ParseAddr("1.2.3.256"): IPv4 field has value >255'],
  ["1..3.4", 'ParseAddr("1..3.4"): IPv4 field must have at least one digit (at ".3.4")'],
  ["1::2::3", 'ParseAddr("1::2::3"): multiple :: in address (at ":3")'],
  ["::1:2:3:4:5:6:7:8", "the :: must expand to at least one field of zeros"],
  ["fe80::1%", 'ParseAddr("fe80::1%"): zone must be a non-empty string'],
])("refuses %j with netip's words", (text, message) => {
  expect(() => parseIpAddress(text)).toThrow(message);
});
