import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareBytewise } from "./compare-bytewise.ts";

test("texts compare as their UTF-8 bytes do", () => {
  const texts = fc.string({
    unit: fc.constantFrom("a", "b", "é", "\uffee", "\ue000", "\u{1f600}"),
  });
  fc.assert(
    fc.property(texts, texts, (left, right) => {
      const expected = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(Math.sign(compareBytewise(left, right))).toBe(expected);
    }),
  );
});
