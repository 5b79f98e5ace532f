import type { Timer } from "./clock.ts";

/** A timer of the manual clock, waiting in its heap until it is fired or cancelled. */
export class HeapTimer implements Timer {
  readonly due: number;
  readonly order: number;
  readonly fire: () => void;
  /** Place in the heap; -1 when it is in none. */
  slot = -1;
  readonly #heap: TimerHeap;

  constructor(heap: TimerHeap, { due, order, fire }: Pick<HeapTimer, "due" | "order" | "fire">) {
    this.#heap = heap;
    this.due = due;
    this.order = order;
    this.fire = fire;
    heap.push(this);
  }

  cancel(): void {
    this.#heap.remove(this);
  }

  unref(): void {}
}

/**
 * Pending timers, earliest first; equal due times in creation order. Cancelling removes the timer
 * at once, so that a system which cancels most of its timeouts does not pile them up.
 */
export class TimerHeap {
  /** Binary heap: no timer fires before its parent at `(slot - 1) >> 1`. */
  readonly #timers: HeapTimer[] = [];

  get size(): number {
    return this.#timers.length;
  }

  peek(): HeapTimer | undefined {
    return this.#timers[0];
  }

  push(timer: HeapTimer): void {
    this.#rise(timer, this.#timers.length);
  }

  /** No effect on a timer that was removed before. */
  remove(timer: HeapTimer): void {
    const slot = timer.slot;
    if (slot < 0) return;
    timer.slot = -1;
    const last = this.#timers.pop()!;
    if (last !== timer) {
      const parent = this.#timers[(slot - 1) >> 1];
      if (slot > 0 && isBefore(last, parent!)) this.#rise(last, slot);
      else this.#sink(last, slot);
    }
  }

  #rise(timer: HeapTimer, from: number): void {
    let slot = from;
    while (slot > 0) {
      const parentSlot = (slot - 1) >> 1;
      const parent = this.#timers[parentSlot]!;
      if (!isBefore(timer, parent)) break;
      this.#place(parent, slot);
      slot = parentSlot;
    }
    this.#place(timer, slot);
  }

  #sink(timer: HeapTimer, from: number): void {
    let slot = from;
    for (;;) {
      const left = this.#timers[2 * slot + 1];
      if (left === undefined) break;
      const right = this.#timers[2 * slot + 2];
      const child = right !== undefined && isBefore(right, left) ? right : left;
      if (!isBefore(child, timer)) break;
      const childSlot = child.slot;
      this.#place(child, slot);
      slot = childSlot;
    }
    this.#place(timer, slot);
  }

  #place(timer: HeapTimer, slot: number): void {
    this.#timers[slot] = timer;
    timer.slot = slot;
  }
}

function isBefore(left: HeapTimer, right: HeapTimer): boolean {
  return left.due < right.due || (left.due === right.due && left.order < right.order);
}
