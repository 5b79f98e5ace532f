/**
 * All known keys in order, for prefix lists. Blocks of a few hundred keys: finding a place is two
 * binary searches, inserting moves one block's tail, and walking is reading arrays.
 * Order is that of JavaScript strings (UTF-16 code units).
 */
export class KeyIndex {
  /** Never empty blocks, ascending; within a block ascending. */
  #blocks: string[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Replaces everything; `keys` need not be sorted, but each must be there once. */
  load(keys: string[]): void {
    keys.sort();
    this.#blocks = [];
    for (let from = 0; from < keys.length; from += loadedBlock) {
      this.#blocks.push(keys.slice(from, from + loadedBlock));
    }
    this.#size = keys.length;
  }

  /** Adds a key that is not there. */
  add(key: string): void {
    this.#size += 1;
    if (this.#blocks.length === 0) {
      this.#blocks.push([key]);
      return;
    }
    const at = this.#blockOf(key);
    const block = this.#blocks[at]!;
    const last = block.length - 1;
    if (key > block[last]!) block.push(key);
    else block.splice(lowerBound(block, key), 0, key);
    if (block.length > maxBlock) {
      // An appended run fills its blocks; a random one halves them.
      const keep =
        key === block[block.length - 1] && at === this.#blocks.length - 1
          ? maxBlock
          : maxBlock >> 1;
      this.#blocks.splice(at + 1, 0, block.splice(keep));
    }
  }

  /** Removes a key that is there. */
  remove(key: string): void {
    const at = this.#blockOf(key);
    const block = this.#blocks[at]!;
    const index = lowerBound(block, key);
    if (block[index] !== key) throw new Error(`key ${JSON.stringify(key)} is not in the index`);
    block.splice(index, 1);
    this.#size -= 1;
    if (block.length === 0) this.#blocks.splice(at, 1);
  }

  /**
   * Calls `visit` for every key with the prefix that is greater than `after`, in order, until it
   * returns false.
   */
  walk(
    range: { prefix: string; after?: string | undefined },
    visit: (key: string) => boolean,
  ): void {
    const { prefix, after } = range;
    const from = after !== undefined && after >= prefix ? after : prefix;
    if (this.#blocks.length === 0) return;
    let at = this.#blockOf(from);
    let index = lowerBound(this.#blocks[at]!, from);
    for (; at < this.#blocks.length; at += 1, index = 0) {
      const block = this.#blocks[at]!;
      for (; index < block.length; index += 1) {
        const key = block[index]!;
        if (!key.startsWith(prefix)) return;
        if (key !== after && !visit(key)) return;
      }
    }
  }

  /** How many keys have the prefix and are greater than `after`. Looks into the outer blocks only. */
  count({ prefix, after }: { prefix: string; after: string }): number {
    if (this.#blocks.length === 0) return 0;
    const from = after >= prefix ? after : prefix;
    let at = this.#blockOf(from);
    let index = lowerBound(this.#blocks[at]!, from);
    if (this.#blocks[at]![index] === after) index += 1;
    let count = 0;
    for (; at < this.#blocks.length; at += 1, index = 0) {
      const block = this.#blocks[at]!;
      if (index >= block.length) continue;
      if (block[block.length - 1]!.startsWith(prefix) && block[index]!.startsWith(prefix)) {
        count += block.length - index;
        continue;
      }
      for (; index < block.length && block[index]!.startsWith(prefix); index += 1) count += 1;
      break;
    }
    return count;
  }

  /** The last block whose first key is not greater than `key`, or the first block. */
  #blockOf(key: string): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#blocks[middle]![0]! <= key) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : low - 1;
  }
}

const maxBlock = 512;
const loadedBlock = 400;

/** The index of the first element that is not less than `key`. */
function lowerBound(block: readonly string[], key: string): number {
  let low = 0;
  let high = block.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (block[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
