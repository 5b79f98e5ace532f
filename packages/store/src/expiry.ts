import type { Clock, Timer } from "@homeostat/concurrency";
import type { KeyVersion } from "./key-version.ts";

export interface ExpiryOptions {
  readonly clock: Clock;
  /** Deletes these versions where they are still the newest of their keys. */
  readonly expire: (versions: readonly KeyVersion[]) => void;
  /** Whether a version is still the newest of its key. */
  readonly isCurrent: (version: KeyVersion) => boolean;
}

/** How many keys one turn deletes, so that a crowd that expires together does not hold the loop. */
const maxPerTurn = 1_000;
/** Wall time may step: due times are looked at again at least this often. */
const maxWait = 60_000;
/** A version whose deletion failed (a full disk) is tried again after this time. */
const retryDelay = 5_000;

/**
 * Deletes keys whose time to live is over, by ordinary deletes: with a revision and an event. Due
 * times are wall time, so that they hold over a restart. A key written again is added again; its
 * old entry comes to nothing because the delete asks for the old revision.
 */
export class Expiry {
  readonly #options: ExpiryOptions;
  /** A binary heap, earliest first. */
  #heap: { readonly due: number; readonly version: KeyVersion }[] = [];
  /** At this length entries of keys that were written again are thrown out. */
  #sweepAt = 1_024;
  #timer: Timer | undefined;
  #timerDue = 0;
  #isStopped = false;

  constructor(options: ExpiryOptions) {
    this.#options = options;
  }

  /** Takes a committed version that has a time to live. */
  add(version: KeyVersion): void {
    this.#push(version.expiresAt ?? 0, version);
  }

  /** Takes a version whose deletion failed. */
  retry(version: KeyVersion): void {
    this.#push(this.#options.clock.now() + retryDelay, version);
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #push(due: number, version: KeyVersion): void {
    if (this.#heap.length >= this.#sweepAt) this.#sweep();
    const heap = this.#heap;
    let at = heap.push({ due, version }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.due <= due) break;
      heap[at] = heap[parent]!;
      heap[parent] = { due, version };
      at = parent;
    }
    this.#setTimer();
  }

  /** A sorted array is a heap. */
  #sweep(): void {
    this.#heap = this.#heap.filter(({ version }) => this.#options.isCurrent(version));
    this.#heap.sort((a, b) => a.due - b.due);
    this.#sweepAt = Math.max(1_024, this.#heap.length * 2);
  }

  #pop(): KeyVersion {
    const heap = this.#heap;
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) {
      let at = 0;
      for (;;) {
        let child = at * 2 + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && heap[child + 1]!.due < heap[child]!.due) child += 1;
        if (heap[child]!.due >= last.due) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = last;
    }
    return top.version;
  }

  #setTimer(): void {
    const due = this.#heap[0]?.due;
    if (due === undefined || this.#isStopped) return;
    if (this.#timer !== undefined && this.#timerDue <= due) return;
    this.#timer?.cancel();
    this.#timerDue = due;
    const delay = Math.min(Math.max(due - this.#options.clock.now(), 0), maxWait);
    this.#timer = this.#options.clock.setTimer(delay, () => {
      this.#timer = undefined;
      this.#fire();
    });
    this.#timer.unref();
  }

  #fire(): void {
    const now = this.#options.clock.now();
    const due: KeyVersion[] = [];
    while (due.length < maxPerTurn && this.#heap.length > 0 && this.#heap[0]!.due <= now) {
      due.push(this.#pop());
    }
    if (due.length > 0) this.#options.expire(due);
    this.#setTimer();
  }
}
