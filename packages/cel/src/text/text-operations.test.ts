import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  characterAt,
  indexOfText,
  lastIndexOfText,
  replaceText,
  sliceText,
  splitText,
  trimText,
} from "./text-operations.ts";
import { finishNow } from "./work-steps.ts";

const char = fc.constantFrom("a", "b", "é", "😀", ",", " ");
const text = fc.array(char, { maxLength: 8 }).map((chars) => chars.join(""));
const wanted = fc.array(char, { minLength: 1, maxLength: 2 }).map((chars) => chars.join(""));
const position = fc.integer({ min: -2, max: 10 });

/** Where `find` stands in `chars`, by comparing. */
function places(input: string, find: string): number[] {
  const chars = Array.from(input);
  const size = Array.from(find).length;
  return chars.flatMap((_, index) =>
    chars.slice(index, index + size).join("") === find ? [index] : [],
  );
}

test("positions count characters", () => {
  fc.assert(
    fc.property(text, position, position, (input, start, end) => {
      const chars = Array.from(input);
      const isInside = (index: number): boolean => index >= 0 && index <= chars.length;
      const expectedChar = isInside(start) ? (chars[start] ?? "") : undefined;
      expect(characterAt(input, BigInt(start))).toBe(expectedChar);
      const expectedSlice =
        isInside(start) && isInside(Math.max(start, end))
          ? chars.slice(start, Math.max(start, end)).join("")
          : undefined;
      const to = Math.max(start, end);
      expect(sliceText(input, BigInt(start), BigInt(to))).toBe(expectedSlice);
    }),
  );
});

test("searching finds the first at a position or behind it, and the last at one or before it", () => {
  fc.assert(
    fc.property(text, wanted, fc.nat(10), (input, find, from) => {
      const found = places(input, find);
      const first = found.find((place) => place >= from) ?? -1;
      expect(finishNow(indexOfText(input, find, BigInt(from)))).toBe(BigInt(first));
      const isInside = from < Array.from(input).length;
      const last = isInside ? (found.findLast((place) => place <= from) ?? -1) : -1;
      expect(finishNow(lastIndexOfText(input, find, BigInt(from)))).toBe(BigInt(last));
    }),
  );
});

test("pieces joined again are the text, and there are no more than asked for", () => {
  fc.assert(
    fc.property(text, fc.oneof(wanted, fc.constant("")), position, (input, separator, limit) => {
      const pieces = finishNow(splitText(input, { separator, limit: BigInt(limit) }));
      expect(pieces.join(separator)).toBe(limit === 0 ? "" : input);
      expect(pieces.length).toBeLessThanOrEqual(limit < 0 ? input.length + 1 : limit);
    }),
  );
});

test("replacing joins the pieces with something else", () => {
  fc.assert(
    fc.property(text, wanted, fc.integer({ min: 1, max: 5 }), (input, from, limit) => {
      const pieces = finishNow(splitText(input, { separator: from, limit: BigInt(limit + 1) }));
      const replaced = finishNow(replaceText(input, { from, to: "$&", limit: BigInt(limit) }));
      expect(replaced).toBe(pieces.join("$&"));
    }),
  );
  expect(finishNow(replaceText("abc", { from: "", to: "-", limit: -1n }))).toBe("-a-b-c-");
  expect(finishNow(replaceText("a😀", { from: "", to: "-", limit: 2n }))).toBe("-a-😀");
});

test("trimming takes what Unicode calls white space", () => {
  expect(trimText("\t\u0085\u00a0 a b\u3000\u2028")).toBe("a b");
  expect(trimText("\ufeffa\u200b")).toBe("\ufeffa\u200b");
  expect(trimText(" \n ")).toBe("");
});
