/**
 * The seam of time. Everything that waits, measures or coalesces takes a Clock from outside, so
 * that a whole plane can run on a {@link ManualClock} from one seed. Real time is touched in
 * `real-clock.ts` only.
 */
export interface Clock {
  /** Wall time in milliseconds since the epoch. May step back: never subtract two of these. */
  now(): number;

  /** Milliseconds from an arbitrary start; never goes back. For measuring and for deadlines. */
  monotonic(): number;

  /** Runs `fire` once, `delay` milliseconds of monotonic time from now (at least the next turn). */
  setTimer(delay: number, fire: () => void): Timer;

  /**
   * Runs `task` once, after everything that is already runnable in this turn of the loop: the
   * place for group commit and coalescing. Tasks run in the order they were given; a task given
   * while tasks run belongs to the next turn.
   */
  endOfTurn(task: () => void): void;
}

export interface Timer {
  /** Stops the timer; no effect once it has fired. */
  cancel(): void;

  /** Lets the process end although the timer is pending. No effect on a manual clock. */
  unref(): void;
}
