import { type Random, systemRandom } from "@homeostat/concurrency";

/** Bounds from here on are those of pools; below are characters of names and the like. */
const LARGE = 100;

/**
 * Chance that draws no number of a large pool twice before it has drawn all of them. Recordings name
 * what a server chose by its value: an address or a port that was freed and, by chance, chosen again
 * would be taken for the one before it.
 */
export function unrepeatedRandom(): Random {
  const drawn = new Map<number, number>();
  return {
    float: () => systemRandom.float(),
    bytes: (length) => systemRandom.bytes(length),
    uuid: () => systemRandom.uuid(),
    below: (bound) => {
      if (bound < LARGE) return systemRandom.below(bound);
      const count = drawn.get(bound) ?? 0;
      drawn.set(bound, count + 1);
      return count % bound;
    },
  };
}
