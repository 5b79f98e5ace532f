/**
 * The name of a member with the quote behind it, as it is looked for in JSON: four bytes at a time,
 * which takes half as long as one by one. Of most names that are not the right one the first four
 * bytes say so.
 */
export class JsonName {
  /** How many bytes it has with its quote. */
  readonly length: number;
  readonly first: number;
  /** Which bytes of the first word are the name's. */
  readonly firstMask: number;
  /** All words; of the last one, the bytes behind the name are zero. */
  readonly #words: Int32Array;
  readonly #lastMask: number;

  constructor(name: string) {
    const bytes = Buffer.from(`${name}"`);
    this.length = bytes.length;
    const padded = Buffer.concat([bytes, Buffer.alloc(3)]);
    this.#words = Int32Array.from({ length: Math.ceil(bytes.length / 4) }, (_, index) =>
      padded.readInt32LE(4 * index),
    );
    const rest = bytes.length % 4;
    this.#lastMask = rest === 0 ? -1 : (1 << (8 * rest)) - 1;
    this.first = this.#words[0]!;
    this.firstMask = this.#words.length === 1 ? this.#lastMask : -1;
  }

  /** Whether the bytes there are the name, of which the first word is known to be the same. */
  isAt(json: DataView, begin: number): boolean {
    const words = this.#words;
    const last = words.length - 1;
    if (last === 0) return true;
    for (let index = 1; index < last; index++) {
      if (words[index] !== json.getInt32(begin + 4 * index, true)) return false;
    }
    return ((words[last]! ^ json.getInt32(begin + 4 * last, true)) & this.#lastMask) === 0;
  }
}
