import { InvalidOptionError } from "./invalid-option-error.ts";
import type { Random } from "./random.ts";

/** A Random that repeats itself from its seed, on every machine and in every version. */
export interface SeededRandom extends Random {
  /**
   * An independent stream, decided by this one's seed and `name` alone: how much was drawn here
   * before does not matter, so parts of a system can be added without changing the others' luck.
   */
  fork(name: string | number): SeededRandom;
}

export function seededRandom(seed: string | number): SeededRandom {
  return new Sfc32(absorb(START, seed));
}

/** 128 bits: the key of a stream, and also the state of its generator. */
type Words = readonly [number, number, number, number];

const START: Words = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667];
const WARM_UP = 12;
const TWO_TO_32 = 2 ** 32;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * Small Fast Counter (Doty-Humphrey), 32-bit: passes PractRand, and its counter keeps every cycle
 * at 2^32 draws or more whatever the seed.
 */
class Sfc32 implements SeededRandom {
  readonly #key: Words;
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(key: Words) {
    this.#key = key;
    [this.#a, this.#b, this.#c, this.#counter] = key;
    for (let draw = 0; draw < WARM_UP; draw++) this.#word();
  }

  fork(name: string | number): SeededRandom {
    return new Sfc32(absorb(this.#key, name));
  }

  float(): number {
    const high = this.#word() >>> 5;
    return (high * 2 ** 26 + (this.#word() >>> 6)) / 2 ** 53;
  }

  below(bound: number): number {
    checkBound(bound);
    // Draws above the largest multiple of the bound are thrown away: they would favour low results.
    const limit = TWO_TO_32 - (TWO_TO_32 % bound);
    let word = this.#word();
    while (word >= limit) word = this.#word();
    return word % bound;
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at += 4) {
      const word = this.#word();
      // Writes beyond the end have no effect.
      bytes[at] = word;
      bytes[at + 1] = word >>> 8;
      bytes[at + 2] = word >>> 16;
      bytes[at + 3] = word >>> 24;
    }
    return bytes;
  }

  uuid(): string {
    const bytes = this.bytes(16);
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    let text = "";
    for (const [at, byte] of bytes.entries()) {
      text += at === 4 || at === 6 || at === 8 || at === 10 ? `-${HEX[byte]}` : HEX[byte];
    }
    return text;
  }

  /** Uniform in [0, 2^32). */
  #word(): number {
    const word = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + word) | 0;
    return word >>> 0;
  }
}

/** Shared with the system's random: both refuse the same bounds. */
export function checkBound(bound: number): void {
  if (Number.isInteger(bound) && bound >= 1 && bound <= TWO_TO_32) return;
  throw new InvalidOptionError({
    option: "bound",
    got: bound,
    expected: "a whole number from 1 to 2^32",
  });
}

/**
 * The key of what `name` adds to `key`. Type and length go in too, so that 1 and "1", or "a" then
 * "bc" and "ab" then "c", lead to different keys.
 */
function absorb(key: Words, name: string | number): Words {
  const text = `${typeof name} ${String(name).length} ${name}`;
  let [a, b, c, d] = key;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x85ebca6b);
    b = Math.imul(b ^ a ^ unit, 0xc2b2ae35);
    c = Math.imul(c ^ b ^ (unit << 7), 0x27d4eb2f);
    d = Math.imul(d ^ c ^ (unit << 13), 0x165667b1);
    a ^= d >>> 15;
  }
  return [mix(a ^ (b >>> 7)), mix(b ^ (c >>> 11)), mix(c ^ (d >>> 13)), mix(d ^ (a >>> 17))];
}

/** Spreads every input bit over all output bits (the finish of MurmurHash3). */
function mix(word: number): number {
  let mixed = word;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
