import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readUtf8 } from "./utf8-text.ts";

const read = (hex: string): string => {
  const bytes = Buffer.from(hex, "hex");
  return readUtf8(bytes, 0, bytes.length);
};

test("texts are read as they were written, short or long", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), fc.nat(5), (text, begin) => {
      const bytes = Buffer.concat([Buffer.alloc(begin, "é"), Buffer.from(text), Buffer.from("é")]);
      expect(readUtf8(bytes, begin, bytes.length - 2)).toBe(text);
    }),
  );
});

test.for([
  ["ffe2827a", "\uFFFD\uFFFD\uFFFDz"], // as kube-apiserver 1.36.3 shows it
  ["c0af", "\uFFFD\uFFFD"], // longer than need be
  ["eda080", "\uFFFD\uFFFD\uFFFD"], // half of a surrogate pair
  ["f4908080", "\uFFFD\uFFFD\uFFFD\uFFFD"], // beyond the last character
  ["c3a9ff", "é\uFFFD"],
  ["efbfbdff", "\uFFFD\uFFFD"], // the replacement itself is a character
  ["f09f9880ff", "\u{1f600}\uFFFD"],
  ["ffc3", "\uFFFD\uFFFD"], // cut off
] as const)("each byte of %s that is part of no character is replaced", ([hex, text]) => {
  expect(read(hex)).toBe(text);
});
