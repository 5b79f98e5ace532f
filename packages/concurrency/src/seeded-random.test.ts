import * as fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "./seeded-random.ts";

/** How far counts are from even: near the number of cells minus 1 when the draws are uniform. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

/** Five standard deviations above the mean: passes by chance but once in some 100,000. */
function limit(cells: number): number {
  return cells - 1 + 5 * Math.sqrt(2 * (cells - 1));
}

function countDraws(cells: number, draws: number, draw: (index: number) => number): number[] {
  const counts = Array.from({ length: cells }, () => 0);
  for (let index = 0; index < draws; index++) {
    const cell = draw(index);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  return counts;
}

test("the sequence of a seed is fixed: recorded failures must replay in later versions", () => {
  const random = seededRandom("homeostat");
  expect(random.uuid()).toBe("0e474620-5aba-403b-9341-d7ed52debdff");
  expect(random.below(1000)).toBe(275);
  expect(random.float()).toBe(0.3935240917104753);
  expect([...random.bytes(5)]).toEqual([90, 45, 41, 231, 206]);
  expect(random.fork("child").uuid()).toBe("2edbc559-ce1a-4360-bdf8-fde02ab66886");
});

test("results stay in their range for every seed and bound", () => {
  const seeds = fc.oneof(fc.string(), fc.double(), fc.integer());
  const bounds = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 2 ** 32 }));
  fc.assert(
    fc.property(seeds, bounds, (seed, bound) => {
      const random = seededRandom(seed);
      for (let draw = 0; draw < 20; draw++) {
        const float = random.float();
        expect(float >= 0 && float < 1).toBe(true);
        const below = random.below(bound);
        expect(Number.isInteger(below) && below >= 0 && below < bound).toBe(true);
      }
    }),
  );
});

test.each([
  [2, 2],
  [3, 3],
  [7, 7],
  [10, 10],
  [64, 64],
  [1000, 100],
  // A plain remainder would draw the lowest third of these twice as often.
  [3 * 2 ** 30, 96],
])("below(%i) is uniform", (bound, cells) => {
  const random = seededRandom(`below ${bound}`);
  const width = bound / cells;
  const counts = countDraws(cells, 100_000, () => Math.floor(random.below(bound) / width));
  expect(chiSquare(counts)).toBeLessThan(limit(cells));
});

test("a bound of 2^32 reaches into the highest and lowest parts", () => {
  const random = seededRandom(32);
  const draws = Array.from({ length: 10_000 }, () => random.below(2 ** 32));
  expect(Math.max(...draws)).toBeGreaterThan(2 ** 32 * 0.999);
  expect(Math.min(...draws)).toBeLessThan(2 ** 32 * 0.001);
});

test("floats are uniform, and so are neighbours taken together", () => {
  const random = seededRandom("floats");
  const singles = countDraws(256, 200_000, () => Math.floor(random.float() * 256));
  expect(chiSquare(singles)).toBeLessThan(limit(256));
  const pairs = countDraws(256, 200_000, () => {
    const high = Math.floor(random.float() * 16);
    return high * 16 + Math.floor(random.float() * 16);
  });
  expect(chiSquare(pairs)).toBeLessThan(limit(256));
});

test("every bit of the bytes is set half of the time", () => {
  const bytes = seededRandom("bits").bytes(80_000);
  for (let bit = 0; bit < 8; bit++) {
    const set = bytes.filter((byte) => ((byte >>> bit) & 1) === 1).length;
    expect(Math.abs(set - 40_000)).toBeLessThan(5 * 142);
  }
});

test("neighbouring seeds and forks have unrelated first draws", () => {
  const bySeed = countDraws(256, 100_000, (seed) => seededRandom(seed).below(256));
  expect(chiSquare(bySeed)).toBeLessThan(limit(256));
  const parent = seededRandom("parent");
  const byFork = countDraws(256, 100_000, (name) => parent.fork(`part-${name}`).below(256));
  expect(chiSquare(byFork)).toBeLessThan(limit(256));
});

test("different seeds and paths of forks do not meet", () => {
  const seen = new Set<string>();
  const roots = [1, "1", "", "a", "ab", 0.5, -1, Number.MAX_SAFE_INTEGER];
  for (const root of roots) {
    const random = seededRandom(root);
    seen.add(random.uuid());
    for (const name of ["", "a", "b", "c", "bc", "1", 1]) {
      seen.add(random.fork(name).uuid());
      seen.add(random.fork(name).fork("c").uuid());
    }
  }
  expect(seen.size).toBe(roots.length * 15);
});

test("a fork depends on seed and name alone, not on what was drawn before", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat(50), (seed, name, draws) => {
      const used = seededRandom(seed);
      for (let draw = 0; draw < draws; draw++) used.float();
      used.fork("another").float();
      expect(used.fork(name).uuid()).toBe(seededRandom(seed).fork(name).uuid());
    }),
  );
});

test("UUIDs are version 4 and bytes have the length asked for", () => {
  const random = seededRandom(4);
  for (let draw = 0; draw < 200; draw++) {
    expect(random.uuid()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  }
  expect([0, 1, 3, 4, 17].map((length) => random.bytes(length).length)).toEqual([0, 1, 3, 4, 17]);
});

test.each([0, -1, 1.5, 2 ** 32 + 1, Number.NaN])("a bound of %d is refused", (bound) => {
  expect(() => seededRandom(1).below(bound)).toThrow(
    `bound: expected a whole number from 1 to 2^32, got ${bound}`,
  );
});
