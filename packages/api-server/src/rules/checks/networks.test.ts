import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isStrictPart, readNetwork } from "./networks.ts";

function isPart(inner: string, outer: string): boolean {
  return isStrictPart(readNetwork(inner)!, readNetwork(outer)!);
}

test.each([
  ["10.0.0.0/8", "10.0.0.0/8"],
  ["010.00.0.0/08", "10.0.0.0/8"],
  ["FD00:0::/64", "fd00::/64"],
  ["1:0:0:2:0:0:0:3/128", "1:0:0:2::3/128"],
])("%s is written %s", (text, canonical) => {
  expect(readNetwork(text)?.canonical).toBe(canonical);
});

test.each(["", "x", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "::%1/8"])(
  "%j is no network",
  (text) => {
    expect(readNetwork(text)).toBeUndefined();
  },
);

test.each([
  ["10.1.0.0/16", "10.0.0.0/8", true],
  ["10.0.0.0/8", "10.0.0.0/8", false],
  ["10.0.0.0/8", "10.0.0.0/9", false],
  ["11.0.0.0/16", "10.0.0.0/8", false],
  ["fd00:0:0:0:1::/80", "fd00::/64", true],
  ["::/1", "0.0.0.0/0", false],
])("%s is a part of %s: %s", (inner, outer, expected) => {
  expect(isPart(inner, outer)).toBe(expected);
});

test("the half of a network is a part of it, and never the other way round", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), fc.integer({ min: 0, max: 31 }), (ip, length) => {
      const [half, whole] = [`${ip.join(".")}/${length + 1}`, `${ip.join(".")}/${length}`];
      expect([isPart(half, whole), isPart(whole, half)]).toEqual([true, false]);
    }),
  );
});
