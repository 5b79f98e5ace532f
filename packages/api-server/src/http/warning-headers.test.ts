import * as fc from "fast-check";
import { expect, test } from "vitest";
import { warningHeaders } from "./warning-headers.ts";

test("a warning is quoted and said once; one with control characters is not said", () => {
  const texts = [String.raw`a "b" \c`, "two\r\nlines\u0007", "two\r\nlines\u0007", "", "日本"];
  expect(warningHeaders(texts)).toEqual([String.raw`299 - "a \"b\" \\c"`, '299 - "日本"']);
});

test("texts that fit together are not cut, however long one is", () => {
  expect(warningHeaders(["x".repeat(4_096)])).toEqual([`299 - "${"x".repeat(4_096)}"`]);
});

test("texts that do not fit are cut to 256 characters each, until 4096 are written", () => {
  expect(warningHeaders(["x".repeat(5_000), "y"])).toEqual([
    `299 - "${"x".repeat(256)}"`,
    '299 - "y"',
  ]);
  // As kube-apiserver 1.36 does with 90 unknown fields of 150 characters.
  const many = Array.from(
    { length: 90 },
    (_, index) => `unknown field "${"x".repeat(150)}${index}"`,
  );
  expect(warningHeaders(many)).toHaveLength(25);
});

test("no texts make headers that a client would refuse", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 500 }), { maxLength: 60 }),
      (texts) => {
        const headers = warningHeaders(texts);
        expect(headers.join("").length).toBeLessThan(64 * 1024);
        for (const header of headers) expect(header).not.toMatch(/\p{Cc}/u);
      },
    ),
  );
});
