import { abortable } from "./abort.ts";
import type { Clock } from "./clock.ts";
import { type Duration, toMilliseconds } from "./duration.ts";
import { startTimeout, TimeoutError } from "./timeout-signal.ts";

export interface DeadlineRunOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * A moment by which several steps together must be done: each gets what the ones before it left.
 * Kept in monotonic time, so stepping the wall clock does not move it.
 */
export class Deadline {
  readonly #clock: Clock;
  readonly #timeout: number;
  readonly #due: number;

  /** The deadline `duration` from now. */
  constructor(clock: Clock, duration: Duration) {
    this.#clock = clock;
    this.#timeout = toMilliseconds(duration);
    this.#due = clock.monotonic() + this.#timeout;
  }

  /** Milliseconds left; 0 when there are none. */
  get remaining(): number {
    return Math.max(0, this.#due - this.#clock.monotonic());
  }

  get isPassed(): boolean {
    return this.remaining === 0;
  }

  throwIfPassed(): void {
    if (this.isPassed) throw new TimeoutError(this.#timeout);
  }

  /**
   * Runs one step. At the deadline its signal aborts and this rejects with a {@link TimeoutError},
   * whether or not the step listens; a step that would start too late is not started.
   */
  async run<T>(
    step: (signal: AbortSignal) => T | PromiseLike<T>,
    { signal }: DeadlineRunOptions = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    this.throwIfPassed();
    using limit = startTimeout({
      clock: this.#clock,
      signal,
      after: this.remaining,
      timeout: this.#timeout,
    });
    const running = (async () => step(limit.signal))();
    return await abortable(running, limit.signal);
  }
}
