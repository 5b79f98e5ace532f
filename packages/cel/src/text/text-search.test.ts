import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lastIndexIn, TextSearch } from "./text-search.ts";
import { finishNow } from "./work-steps.ts";

/** Repetitive, so that parts of what is wanted occur again and again. */
const wanted = fc.tuple(
  fc.constantFrom("a", "ab", "aab", "aabaaab"),
  fc.integer({ min: 3, max: 40 }),
  fc.constantFrom("", "b", "c", "aab"),
);

test("finds what the engine's own search finds, first and last", () => {
  fc.assert(
    fc.property(
      wanted,
      wanted,
      fc.integer({ min: 0, max: 500 }),
      ([piece, times, end], tail, from) => {
        const text = `${"ab".repeat(90_000)}${tail[0].repeat(tail[1])}${tail[2]}${piece.repeat(times)}${end}aba`;
        const find = piece.repeat(times) + end;
        const found = finishNow(new TextSearch(find).indexIn(text, from));
        expect(found).toBe(text.indexOf(find, from));
        const before = text.length - from;
        expect(finishNow(lastIndexIn(text, find, before))).toBe(text.lastIndexOf(find, before));
      },
    ),
    { numRuns: 60 },
  );
});

test("a text as long as what is wanted, or shorter, is no trouble", () => {
  const search = new TextSearch("a".repeat(1_000));
  expect(finishNow(search.indexIn("a".repeat(1_000), 0))).toBe(0);
  expect(finishNow(search.indexIn("a".repeat(999), 0))).toBe(-1);
});

test("what makes the engine's own search quadratic is found in steps", () => {
  const find = `${"a".repeat(5_000)}b${"a".repeat(5_000)}`;
  const steps = new TextSearch(find).indexIn(`${"a".repeat(1_000_000)}${find}`, 0);
  let rests = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) rests++;
  expect(step.value).toBe(1_000_000);
  expect(rests).toBeGreaterThan(3);
});
