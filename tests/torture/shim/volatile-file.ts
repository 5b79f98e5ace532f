import type { Random } from "@homeostat/concurrency";

/** What a power loss leaves of the writes that were not synced. */
export type DataLoss =
  /** None of them, or every one. */
  | "none-kept"
  | "all-kept"
  /** Each write as a whole is kept or lost. */
  | "whole-writes"
  /** Each unit of so many bytes has the state before, between or after the writes to it. */
  | 512
  | 4096;

type Change =
  | { readonly kind: "write"; readonly offset: number; readonly data: Uint8Array }
  | { readonly kind: "truncate"; readonly size: number };

/**
 * One file's bytes on the platter, and what was written since without being synced. A sync covers
 * the changes up to its beginning; changes are numbered for that.
 */
export class VolatileFile {
  /** The platter; the memory behind it may be longer, all zeros. */
  #durable: Buffer = Buffer.alloc(0);
  #pending: Change[] = [];
  /** Number of the first pending change. */
  #first = 0;

  /** Number that the next change will get. */
  get mark(): number {
    return this.#first + this.#pending.length;
  }

  change(change: Change): void {
    this.#pending.push(change);
  }

  /** Everything before `mark` is on the platter. */
  synced(mark: number): void {
    const count = mark - this.#first;
    if (count <= 0) return;
    for (const change of this.#pending.slice(0, count)) this.#harden(change);
    this.#pending = this.#pending.slice(count);
    this.#first = mark;
  }

  /** As programs see it while the power is on. */
  current(): Buffer {
    return this.#assemble({ changes: this.#pending, keeps: () => true });
  }

  /** As it may be found after a power loss. */
  survivor(loss: DataLoss, random: Random): Buffer {
    if (loss === "none-kept" || this.#pending.length === 0) return this.#durable;
    if (loss === "all-kept") return this.current();
    const changes = this.#afterTruncations(random);
    const keeps =
      loss === "whole-writes"
        ? keepWhole(changes, random)
        : keepUnits({ changes, unit: loss, random });
    const bytes = this.#assemble({
      changes,
      keeps,
      unit: loss === "whole-writes" ? 4096 : loss,
    });
    // The new length may be on the platter although the data is not: zeros then.
    const { length } = this.current();
    if (length <= bytes.length || random.below(2) === 0) return bytes;
    return Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
  }

  #harden(change: Change): void {
    const { length } = this.#durable;
    if (change.kind === "truncate") this.#durable.fill(0, Math.min(change.size, length));
    this.#resize(change.kind === "truncate" ? change.size : Math.max(length, endOf(change)));
    if (change.kind === "write") this.#durable.set(change.data, change.offset);
  }

  #resize(length: number): void {
    let { buffer } = this.#durable;
    if (buffer.byteLength < length || this.#durable.byteOffset !== 0) {
      const larger = Buffer.from(new ArrayBuffer(length * 2));
      larger.set(this.#durable);
      buffer = larger.buffer;
    }
    this.#durable = Buffer.from(buffer, 0, length);
  }

  /** A truncation is kept or lost as a whole; a file system keeps them in order. */
  #afterTruncations(random: Random): Change[] {
    const truncations = this.#pending.filter(({ kind }) => kind === "truncate").length;
    let kept = truncations === 0 ? 0 : random.below(truncations + 1);
    return this.#pending.filter(({ kind }) => {
      if (kind === "write") return true;
      kept -= 1;
      return kept >= 0;
    });
  }

  /** Applies the changes in order, unit by unit where `keeps` says so. */
  #assemble(options: {
    changes: readonly Change[];
    keeps: (unit: number, change: number) => boolean;
    unit?: number;
  }): Buffer {
    const { changes, keeps, unit = Number.POSITIVE_INFINITY } = options;
    const end = changes.reduce((most, change) => Math.max(most, endOf(change)), 0);
    const bytes = Buffer.alloc(Math.max(this.#durable.length, end));
    bytes.set(this.#durable);
    let { length } = this.#durable;
    for (const [number, change] of changes.entries()) {
      if (change.kind === "truncate") {
        bytes.fill(0, change.size);
        length = change.size;
        continue;
      }
      for (const part of partsOf(change, unit)) {
        if (!keeps(part.unit, number)) continue;
        bytes.set(part.data, part.offset);
        length = Math.max(length, part.offset + part.data.length);
      }
    }
    return bytes.subarray(0, length);
  }
}

/** A unit has the state after the last kept write to it: the page cache adds up. */
function keepWhole(
  changes: readonly Change[],
  random: Random,
): (unit: number, change: number) => boolean {
  const last = new Map<number, number>();
  for (const [number, change] of changes.entries()) {
    if (change.kind === "truncate" || random.below(2) === 0) continue;
    for (const { unit } of partsOf(change, 4096)) last.set(unit, number);
  }
  return (unit, change) => change <= (last.get(unit) ?? -1);
}

function keepUnits(options: {
  changes: readonly Change[];
  unit: number;
  random: Random;
}): (unit: number, change: number) => boolean {
  const { random } = options;
  const touched = new Map<number, number[]>();
  for (const [number, change] of options.changes.entries()) {
    if (change.kind === "truncate") continue;
    for (const { unit } of partsOf(change, options.unit)) {
      const numbers = touched.get(unit);
      if (numbers === undefined) touched.set(unit, [number]);
      else numbers.push(number);
    }
  }
  const last = new Map<number, number>();
  for (const [unit, numbers] of touched) {
    last.set(unit, numbers[random.below(numbers.length + 1) - 1] ?? -1);
  }
  return (unit, change) => change <= (last.get(unit) ?? -1);
}

function endOf(change: Change): number {
  return change.kind === "write" ? change.offset + change.data.length : change.size;
}

function* partsOf(
  change: Extract<Change, { kind: "write" }>,
  unit: number,
): Iterable<{ unit: number; offset: number; data: Uint8Array }> {
  const end = endOf(change);
  let { offset } = change;
  while (offset < end) {
    const number = unit === Number.POSITIVE_INFINITY ? 0 : Math.floor(offset / unit);
    const stop = Math.min(end, (number + 1) * unit);
    yield {
      unit: number,
      offset,
      data: change.data.subarray(offset - change.offset, stop - change.offset),
    };
    offset = stop;
  }
}
