import { parseDuration } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { finishNow } from "../text/work-steps.ts";
import { durationInSteps } from "./duration-in-steps.ts";

function atOnce(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch {
    return undefined;
  }
}

test("a duration of many terms is what it is when it is read at once", () => {
  const term = fc.constantFrom("1h", "2.5s", "0.1ms", ".5us", "1.µs", "3ns", "0h", "007m");
  const end = fc.constantFrom("", "0", "1", "x", ".", "1h", "2562047h", "9223372036854775808ns");
  const texts = fc
    .record({
      sign: fc.constantFrom("", "-", "+"),
      terms: fc.array(term, { minLength: 1, maxLength: 5 }),
      times: fc.constantFrom(1, 5_000),
      end,
    })
    .map(({ sign, terms, times, end: last }) => sign + terms.join("").repeat(times) + last);
  fc.assert(
    fc.property(texts, (text) => {
      expect(finishNow(durationInSteps(text))).toBe(atOnce(text));
    }),
    { numRuns: 60 },
  );
});

test("a long duration is read in steps", () => {
  const reading = durationInSteps("1h".repeat(20_000));
  expect(reading.next()).toEqual({ done: false, value: undefined });
});
