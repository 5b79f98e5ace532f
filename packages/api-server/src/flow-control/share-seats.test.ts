import * as fc from "fast-check";
import { expect, test } from "vitest";
import { shareSeats } from "./share-seats.ts";

const claim = fc
  .tuple(fc.nat(100), fc.nat(100), fc.nat(100))
  .map(([lowest, more, wish]) => ({ lowest, highest: lowest + more, target: lowest + wish }));

test("everybody gets something within its bounds, and together they get all", () => {
  fc.assert(
    fc.property(
      fc.array(claim, { minLength: 1, maxLength: 8 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (claims, part) => {
        const low = claims.reduce((sum, { lowest }) => sum + lowest, 0);
        const high = claims.reduce((sum, { highest }) => sum + highest, 0);
        const sum = low + (high - low) * part;
        const shares = shareSeats(sum, claims);
        for (const [at, share] of shares.entries()) {
          expect(share).toBeGreaterThanOrEqual(claims[at]!.lowest);
          expect(share).toBeLessThanOrEqual(claims[at]!.highest);
        }
        expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(sum, 3);
      },
    ),
  );
});

test("where no bound is in the way, shares are as the targets are", () => {
  const claims = [30, 60, 10].map((target) => ({ lowest: 0, highest: 1000, target }));
  const shares = shareSeats(200, claims).map((share) => Math.round(share));
  expect(shares).toEqual([60, 120, 20]);
});
