import type { Clock, Timer } from "@homeostat/concurrency";

/** How late a deadline may be noticed. */
const PRECISION = 1000;

/** Something that has to happen in time. */
export interface Deadline {
  /** It has happened, or nobody waits for it any more. Idempotent. */
  release(): void;
}

/**
 * What clients have to do in time, so that nobody holds what others need by being slow. One timer
 * looks after all of them, and they are linked to one another: a deadline that is met, as nearly all
 * are, costs no timer and no place in a set.
 */
export class Deadlines implements Disposable {
  readonly #clock: Clock;
  /** Before the first and behind the last. */
  readonly #ends = new OpenDeadline(0, () => undefined);
  #timer: Timer | undefined;
  #disposed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `cut` once unless released within so many milliseconds. */
  set(milliseconds: number, cut: () => void): Deadline {
    const deadline = new OpenDeadline(this.#clock.monotonic() + milliseconds, cut);
    deadline.linkBehind(this.#ends.previous);
    if (this.#timer === undefined) this.#wait();
    return deadline;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const deadline of this.#open()) deadline.release();
    this.#timer?.cancel();
  }

  *#open(): Iterable<OpenDeadline> {
    for (let at = this.#ends.next; at !== this.#ends; ) {
      const { next } = at;
      yield at;
      at = next;
    }
  }

  #wait(): void {
    if (this.#disposed) return;
    this.#timer = this.#clock.setTimer(PRECISION, () => this.#sweep());
    this.#timer.unref();
  }

  #sweep(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonic();
    // Cutting one may release others: those are gathered before.
    const due = [...this.#open()].filter((each) => each.due <= now);
    for (const deadline of due) deadline.pass();
    if (this.#ends.next !== this.#ends) this.#wait();
  }
}

class OpenDeadline implements Deadline {
  readonly due: number;
  readonly #cut: () => void;
  next: OpenDeadline = this;
  previous: OpenDeadline = this;
  #isOpen = true;

  constructor(due: number, cut: () => void) {
    this.due = due;
    this.#cut = cut;
  }

  linkBehind(other: OpenDeadline): void {
    this.previous = other;
    this.next = other.next;
    other.next.previous = this;
    other.next = this;
  }

  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.previous.next = this.next;
    this.next.previous = this.previous;
  }

  pass(): void {
    if (!this.#isOpen) return;
    this.release();
    this.#cut();
  }
}
