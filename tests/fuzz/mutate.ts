import type { SeededRandom } from "@homeostat/concurrency";
import { encode, pick } from "./fuzz-target.ts";

const MOST_BYTES = 20_000;
const STRANGE = [
  "\u0000",
  "\uffff",
  "\ud83d\ude00",
  "__proto__",
  "-9223372036854775809",
  "1e400",
  "%00",
];

export interface MutationSources {
  readonly corpus: readonly Uint8Array[];
  readonly words: readonly string[];
}

/** A good input, spoiled in a few places. */
export function mutate(random: SeededRandom, sources: MutationSources): Uint8Array {
  let bytes: Uint8Array = pick(random, sources.corpus);
  for (let rounds = 1 + random.below(4); rounds > 0; rounds--) {
    bytes = spoil(bytes, random, sources);
  }
  return bytes.subarray(0, MOST_BYTES);
}

function spoil(
  bytes: Uint8Array,
  random: SeededRandom,
  { corpus, words }: MutationSources,
): Uint8Array {
  const from = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, from + 1 + random.below(16));
  const piece = bytes.subarray(from, to);
  switch (random.below(8)) {
    case 0: // a byte changes
      return splice(bytes, [from, from + 1], random.bytes(1));
    case 1: {
      // a bit flips
      const flipped = Uint8Array.from(bytes);
      if (from < flipped.length) flipped[from]! ^= 1 << random.below(8);
      return flipped;
    }
    case 2: // a piece goes
      return splice(bytes, [from, to], new Uint8Array(0));
    case 3: // a piece comes again and again
      return splice(bytes, [from, from], repeated(piece, 1 + random.below(50)));
    case 4: // a word that means something
      return splice(bytes, [from, from], encode(pick(random, words)));
    case 5: // something that often goes wrong, in the place of something else
      return splice(bytes, [from, to], encode(pick(random, STRANGE)));
    case 6: {
      // the end of another one
      const other = pick(random, corpus);
      return splice(bytes, [from, bytes.length], other.subarray(random.below(other.length + 1)));
    }
    default: // noise
      return splice(bytes, [from, from], random.bytes(1 + random.below(20)));
  }
}

function splice(
  bytes: Uint8Array,
  [from, to]: readonly [number, number],
  piece: Uint8Array,
): Uint8Array {
  return Buffer.concat([bytes.subarray(0, from), piece, bytes.subarray(to)]);
}

function repeated(piece: Uint8Array, count: number): Uint8Array {
  return Buffer.concat(Array.from({ length: count }, () => piece));
}
