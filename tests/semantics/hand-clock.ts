import {
  type Clock,
  type Duration,
  ManualClock,
  realClock,
  type Timer,
  toMilliseconds,
} from "@homeostat/concurrency";

/**
 * The clock of a plane under test. Wall time and timers move only when the test says so; the ends
 * of turns are the event loop's own, because what happens between a test and its plane may pass
 * through real sockets.
 */
export class HandClock implements Clock {
  readonly #manual = new ManualClock();
  readonly #waiting: { readonly delay: number; readonly resolve: () => void }[] = [];

  now(): number {
    return this.#manual.now();
  }

  monotonic(): number {
    return this.#manual.monotonic();
  }

  setTimer(delay: number, fire: () => void): Timer {
    for (const [at, waiting] of [...this.#waiting.entries()].reverse()) {
      if (waiting.delay !== delay) continue;
      this.#waiting.splice(at, 1);
      waiting.resolve();
    }
    return this.#manual.setTimer(delay, fire);
  }

  endOfTurn(task: () => void): void {
    realClock.endOfTurn(task);
  }

  /** Resolves when somebody begins to wait for exactly so many milliseconds. */
  timerSet(delay: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ delay, resolve }));
  }

  /** Moves the wall clock alone, as an administrator would. */
  step(milliseconds: number): void {
    this.#manual.step(milliseconds);
  }

  /** Moves time on, timer by timer; what a timer sets off has run before the next one fires. */
  async advance(duration: Duration): Promise<void> {
    const reached = { yet: false };
    this.#manual.setTimer(toMilliseconds(duration), () => {
      reached.yet = true;
    });
    while (!reached.yet) {
      await this.#manual.advanceToNext();
      for (let turn = 0; turn < 4; turn++) await endOfTurn();
    }
  }
}

/** One turn of the real event loop. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => realClock.endOfTurn(resolve));
}
