import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8 } from "./decode-utf8.ts";

test("valid text is decoded as it is, a byte order mark included", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const withMark = `\uFEFF${text}`;
      expect(decodeUtf8(new TextEncoder().encode(withMark))).toBe(withMark);
    }),
  );
});

test("each byte outside of a valid character becomes one replacement character", () => {
  const samples: [string, number[]][] = [
    ["a\uFFFDb", [0x61, 0x80, 0x62]],
    ["\uFFFD\uFFFD", [0xe2, 0x82]],
    ["\uFFFD\uFFFD(", [0xe2, 0x82, 0x28]],
    ["\uFFFD\uFFFD\uFFFD", [0xed, 0xa0, 0x80]],
    ["\uFFFD\uFFFD", [0xc0, 0xaf]],
    ["\uFFFD\uFFFD\uFFFD", [0xe0, 0x80, 0xaf]],
    ["\uFFFD\uFFFD\uFFFD\uFFFD", [0xf0, 0x80, 0x80, 0xaf]],
    ["\uFFFD\uFFFD\uFFFD\uFFFD", [0xf4, 0x90, 0x80, 0x80]],
    ["\uFFFD\uFFFD", [0xf5, 0xff]],
    ["\uFFFD", [0xef, 0xbf, 0xbd]],
    ["\u{1F600}\uFFFD", [0xf0, 0x9f, 0x98, 0x80, 0xff]],
  ];
  for (const [text, bytes] of samples) expect(decodeUtf8(Uint8Array.from(bytes))).toBe(text);
});

test("valid characters survive whatever stands around them", () => {
  const piece = fc.oneof(fc.string({ unit: "grapheme" }), fc.constant(undefined));
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      // 0xff is part of no character, so that it cannot join with its neighbours.
      const bytes = pieces.flatMap((text) =>
        text === undefined ? [0xff] : [...new TextEncoder().encode(text)],
      );
      const expected = pieces.map((text) => text ?? "\uFFFD").join("");
      expect(decodeUtf8(Uint8Array.from(bytes))).toBe(expected);
    }),
  );
});
