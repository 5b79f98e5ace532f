/**
 * Where value bytes live: in slabs of a few MiB instead of one buffer each, which would cost about
 * as much again as a small value. Space of released values comes back by moving a sparse slab's
 * live values to the open slab. The emptied slab is used again at once: left to the garbage
 * collector, slabs would drive it to several full collections a second under steady updates.
 *
 * Before its memory is used again a slab is detached, so that a view taken from it earlier has
 * length 0 from then on: a view kept too long can be seen, but never shows another value's bytes.
 */

/** The place of a value; its owner reads the bytes through it, the heap moves it around. */
export interface Resident {
  slab: Slab;
  offset: number;
  length: number;
}

export class Slab {
  readonly bytes: Buffer<ArrayBuffer>;
  /** Appended so far. */
  used = 0;
  /** Of these, bytes of residents that still live here. */
  live = 0;
  /** In order of appending; one that was released or moved on points to another slab. */
  readonly residents: Resident[] = [];

  constructor(memory: ArrayBuffer) {
    this.bytes = Buffer.from(memory);
  }
}

/** The place of every empty value, tombstones included. */
export const nowhere: Slab = new Slab(new ArrayBuffer(0));

/** The place of every released value: its bytes cannot be read any more. */
export const released: Slab = new Slab(new ArrayBuffer(0));

export interface SlabHeapOptions {
  /** Bytes of a slab. A value of more than a quarter of it gets a slab of its own. Default 4 MiB. */
  readonly slabSize?: number;
  /** Compaction starts when dead bytes are more than this share of the live ones. Default 0.15. */
  readonly maxDeadShare?: number;
}

/** Emptied slabs kept for the next values; more are given back to the system. */
const maxSpares = 2;

export class SlabHeap {
  readonly #slabSize: number;
  readonly #maxDeadShare: number;
  readonly #slabs = new Set<Slab>();
  readonly #spares: ArrayBuffer[] = [];
  #open: Slab | undefined;
  #used = 0;
  #live = 0;
  #allocated = 0;

  constructor(options: SlabHeapOptions = {}) {
    this.#slabSize = options.slabSize ?? 4 * 1024 * 1024;
    this.#maxDeadShare = options.maxDeadShare ?? 0.15;
  }

  /** Bytes of all values that are not released. */
  get liveBytes(): number {
    return this.#live;
  }

  /** Bytes of all slabs, spare ones included. */
  get allocatedBytes(): number {
    return this.#allocated;
  }

  /** Copies `bytes` in and makes `resident` point to them. */
  place(resident: Resident, bytes: Uint8Array): void {
    const length = bytes.length;
    resident.length = length;
    if (length === 0) {
      resident.slab = nowhere;
      return;
    }
    const slab = this.#slabFor(length);
    slab.bytes.set(bytes, slab.used);
    this.#settle(resident, slab);
    this.#live += length;
  }

  /** Gives the resident's space back; its bytes cannot be read from now on. */
  release(resident: Resident): void {
    const { slab } = resident;
    if (slab === released) return;
    resident.slab = released;
    if (slab === nowhere) return;
    slab.live -= resident.length;
    this.#live -= resident.length;
    if (slab.live === 0 && slab !== this.#open) this.#recycle(slab);
  }

  /**
   * Moves about `budget` bytes out of sparse slabs, whole slabs at a time; call it along with
   * writes, with a few times the bytes written. Returns the bytes moved: 0 when nothing is worth it.
   */
  compact(budget: number): number {
    let moved = 0;
    while (moved < budget && this.#isWasteful()) {
      const sparsest = this.#sparsest();
      if (sparsest === undefined) break;
      moved += this.#evacuate(sparsest);
    }
    return moved;
  }

  #isWasteful(): boolean {
    const dead = this.#used - this.#live;
    return dead > this.#slabSize && dead > this.#live * this.#maxDeadShare;
  }

  #sparsest(): Slab | undefined {
    let sparsest: Slab | undefined;
    for (const slab of this.#slabs) {
      if (slab === this.#open || slab.live === slab.used) continue;
      if (sparsest === undefined || slab.live * sparsest.used < sparsest.live * slab.used) {
        sparsest = slab;
      }
    }
    return sparsest;
  }

  #evacuate(slab: Slab): number {
    const moved = slab.live;
    for (const resident of slab.residents) {
      if (resident.slab !== slab) continue;
      const target = this.#slabFor(resident.length);
      const end = resident.offset + resident.length;
      slab.bytes.copy(target.bytes, target.used, resident.offset, end);
      this.#settle(resident, target);
    }
    this.#recycle(slab);
    return moved;
  }

  #settle(resident: Resident, slab: Slab): void {
    const { length } = resident;
    resident.slab = slab;
    resident.offset = slab.used;
    slab.used += length;
    slab.live += length;
    slab.residents.push(resident);
    this.#used += length;
  }

  #slabFor(length: number): Slab {
    if (length > this.#slabSize / 4) return this.#add(length);
    if (this.#open === undefined || this.#open.used + length > this.#slabSize) {
      const full = this.#open;
      this.#open = this.#add(this.#slabSize);
      if (full?.live === 0) this.#recycle(full);
    }
    return this.#open;
  }

  #add(size: number): Slab {
    const spare = size === this.#slabSize ? this.#spares.pop() : undefined;
    if (spare === undefined) this.#allocated += size;
    // Neither zeroed nor from Node's pool: every byte that is read was written before.
    const slab = new Slab(spare ?? Buffer.allocUnsafeSlow(size).buffer);
    this.#slabs.add(slab);
    return slab;
  }

  #recycle(slab: Slab): void {
    this.#slabs.delete(slab);
    this.#used -= slab.used;
    slab.residents.length = 0;
    const memory = slab.bytes.buffer;
    const { byteLength } = memory;
    if (byteLength === this.#slabSize && this.#spares.length < maxSpares) {
      this.#spares.push(memory.transfer());
    } else {
      this.#allocated -= byteLength;
      memory.transfer(0);
    }
  }
}
