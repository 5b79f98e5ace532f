import type { KeyVersion } from "./key-version.ts";

/**
 * Every change since the last compaction, in revision order: what resuming watchers replay. A
 * revision has one entry per key it changed.
 */
export class History {
  #entries: KeyVersion[] = [];
  /** Entries before this one are forgotten; their slots are cut off now and then. */
  #start = 0;
  #bytes = 0;

  get length(): number {
    return this.#entries.length - this.#start;
  }

  /** Bytes of the states that only history still needs: those which a kept change replaced. */
  get bytes(): number {
    return this.#bytes;
  }

  push(version: KeyVersion): void {
    this.#entries.push(version);
    this.#bytes += version.previous?.length ?? 0;
  }

  /** The revision of the change in the middle; 0 without any. */
  middle(): number {
    return this.#entries[(this.#start + this.#entries.length) >> 1]?.revision ?? 0;
  }

  /** The oldest kept change. */
  first(): KeyVersion | undefined {
    return this.#entries[this.#start];
  }

  /** Forgets the oldest kept change. */
  shift(): void {
    const version = this.#entries[this.#start]!;
    this.#bytes -= version.previous?.length ?? 0;
    this.#start += 1;
    if (this.#start > 1024 && this.#start * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
  }

  /**
   * Visits the changes after `revision` in order until `visit` returns false. A visitor that wants
   * whole revisions looks at the revision itself.
   */
  visitAfter(revision: number, visit: (version: KeyVersion) => boolean): void {
    for (let at = this.#firstAfter(revision); at < this.#entries.length; at += 1) {
      if (!visit(this.#entries[at]!)) return;
    }
  }

  countAfter(revision: number): number {
    return this.#entries.length - this.#firstAfter(revision);
  }

  #firstAfter(revision: number): number {
    let low = this.#start;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#entries[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
