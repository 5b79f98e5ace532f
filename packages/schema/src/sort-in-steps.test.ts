import { finishNow } from "@homeostat/cel";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sortInSteps } from "./sort-in-steps.ts";

test("sorting in steps gives what sorting at once gives, and keeps the order of equals", () => {
  const item = fc.record({ key: fc.integer({ min: 0, max: 9 }), mark: fc.nat() });
  const lists = fc.oneof(
    fc.array(item, { maxLength: 20 }),
    fc.array(item, { minLength: 2_001, maxLength: 7_000, size: "max" }),
  );
  fc.assert(
    fc.property(lists, (list) => {
      const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      expect(finishNow(sortInSteps([...list], byKey))).toEqual(list.toSorted(byKey));
    }),
    { numRuns: 10 },
  );
});
