import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LARGEST_PIECE, LargePieces } from "./large-pieces.ts";

test("pieces are together the parts, whatever their sizes, and none is larger than the largest", () => {
  const size = fc.oneof(fc.nat(10), fc.integer({ min: 16_000, max: 700_000 }));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 5 }), (sizes) => {
      const parts = sizes.map((length, index) => Buffer.alloc(length, 65 + index));
      const pieces = [...new LargePieces().of(() => parts)];
      expect(Buffer.concat(pieces).equals(Buffer.concat(parts))).toBe(true);
      for (const { length } of pieces) expect(length).toBeLessThanOrEqual(LARGEST_PIECE);
      expect(pieces.every(({ length }) => length > 0)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("whoever takes only the first piece has little made for it, and parts may move in between", () => {
  let asked = 0;
  const whole = Buffer.alloc(900_000, "abcdefg");
  const pieces = new LargePieces().of(() => {
    asked++;
    return [Buffer.from(whole)];
  });
  const taken: Uint8Array[] = [];
  for (const piece of pieces) {
    taken.push(piece);
    expect(asked).toBe(taken.length);
  }
  expect(taken[0]!.length).toBeLessThanOrEqual(16 * 1024);
  expect(Buffer.concat(taken).equals(whole)).toBe(true);
});
