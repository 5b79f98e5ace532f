import type { Clock, Timer } from "@homeostat/concurrency";

/** How late a deadline may be noticed. */
const PRECISION = 1000;

/** Something that has to happen in time. */
export interface Deadline {
  /** It has happened, or nobody waits for it any more. */
  release(): void;
}

/**
 * What clients have to do in time, so that nobody holds what others need by being slow. One timer
 * looks after all of them: a deadline that is met costs next to nothing.
 */
export class Deadlines implements Disposable {
  readonly #clock: Clock;
  readonly #open = new Set<{ readonly due: number; readonly cut: () => void }>();
  #timer: Timer | undefined;
  #disposed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `cut` once unless released within so many milliseconds. */
  set(milliseconds: number, cut: () => void): Deadline {
    const entry = { due: this.#clock.monotonic() + milliseconds, cut };
    this.#open.add(entry);
    if (this.#timer === undefined) this.#wait();
    return { release: () => void this.#open.delete(entry) };
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#open.clear();
    this.#timer?.cancel();
  }

  #wait(): void {
    if (this.#disposed) return;
    this.#timer = this.#clock.setTimer(PRECISION, () => this.#sweep());
    this.#timer.unref();
  }

  #sweep(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonic();
    for (const entry of this.#open) {
      if (entry.due > now) continue;
      this.#open.delete(entry);
      entry.cut();
    }
    if (this.#open.size > 0) this.#wait();
  }
}
