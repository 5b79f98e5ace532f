import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseIpPrefix } from "./ip-prefix.ts";
import { parseIpAddress } from "./parse-ip-address.ts";

const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
const prefix = fc
  .tuple(octets, fc.nat(32))
  .map(([address, length]) => parseIpPrefix(`${address.join(".")}/${length}`));

test("a prefix contains exactly the addresses that share its first bits", () => {
  fc.assert(
    fc.property(prefix, octets, fc.boolean(), (cidr, other, near) => {
      const flip = near ? 1 : 0;
      const text = near ? cidr.address.toString() : other.join(".");
      const address = parseIpAddress(text);
      const bits = address.bits ^ BigInt(flip);
      const shared = (bits ^ cidr.address.bits) >> BigInt(32 - cidr.length) === 0n;
      const asked = parseIpAddress(
        [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join("."),
      );
      expect(cidr.contains(asked)).toBe(shared);
    }),
  );
});

test("masking keeps the network and overlaps are mutual", () => {
  fc.assert(
    fc.property(prefix, prefix, (a, b) => {
      expect(a.masked().masked().equals(a.masked())).toBe(true);
      expect(a.contains(a.masked().address)).toBe(true);
      expect(a.overlaps(b)).toBe(b.overlaps(a));
      expect(a.overlaps(b)).toBe(a.contains(b.masked().address) || b.contains(a.masked().address));
    }),
  );
});

test("families never contain each other", () => {
  expect(parseIpPrefix("::/0").contains(parseIpAddress("1.2.3.4"))).toBe(false);
  expect(parseIpPrefix("0.0.0.0/0").contains(parseIpAddress("::1"))).toBe(false);
  expect(parseIpPrefix("::/0").overlaps(parseIpPrefix("0.0.0.0/0"))).toBe(false);
});

test.each(["10.0.0.0", "10.0.0.0/", "10.0.0.0/01", "10.0.0.0/+1", "10.0.0.0/33", "fe80::1%e/64"])(
  "%j is no prefix",
  (text) => {
    expect(() => parseIpPrefix(text)).toThrow(`netip.ParsePrefix("${text}"): `);
  },
);
