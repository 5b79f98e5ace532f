import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isHostPort } from "./host-ports.ts";

test.each([
  ["a:1", true],
  [":", true],
  ["[::1]:80", true],
  ["[]:x", true],
  ["a", false],
  ["a:b:c", false],
  ["[::1]", false],
  ["[::1]x:80", false],
  ["[::1", false],
  ["a[b:1", false],
  ["[a[b]:1", false],
  ["[a]:1]", false],
])("%s", (text, expected) => {
  expect(isHostPort(text)).toBe(expected);
});

test("a host without colons and brackets has any port that has none", () => {
  const part = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[:[\]]/g, ""));
  fc.assert(
    fc.property(part, part, (host, port) => {
      expect(isHostPort(`${host}:${port}`)).toBe(true);
      expect(isHostPort(`[${host}:${host}]:${port}`)).toBe(true);
      expect(isHostPort(`${host}:${port}:${port}`)).toBe(false);
    }),
  );
});
