import { throwIfAborted } from "./abort.ts";
import { Backoff, type BackoffOptions } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import { InvalidOptionError } from "./invalid-option-error.ts";
import { realClock } from "./real-clock.ts";
import { sleep } from "./sleep.ts";
import { systemRandom } from "./system-random.ts";

/** The delays default as in {@link BackoffOptions}: 1 s, doubling, up to 30 s, no jitter. */
export interface RetryOptions extends BackoffOptions {
  /** Tries in all, the first one included. Default: 3. */
  readonly maxAttempts?: number | undefined;

  /** Default: the real clock. */
  readonly clock?: Clock | undefined;

  /** Stops between and, through the signal the function is given, inside attempts. */
  readonly signal?: AbortSignal | undefined;

  /** Whether another try could help. Default: always. */
  readonly retryable?: ((error: unknown) => boolean) | undefined;

  /** Told of every failed attempt, before the delay. */
  readonly onFailure?: ((failure: AttemptFailure) => void) | undefined;
}

export interface Attempt {
  /** Counted from 1. */
  readonly attempt: number;
  readonly signal: AbortSignal;
}

export interface AttemptFailure {
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly error: unknown;
  /** Milliseconds until the next attempt; undefined when this was the last. */
  readonly nextDelay: number | undefined;
}

/**
 * Calls `run` until it succeeds, with growing delays between. Rejects with the last attempt's error
 * as it was thrown, or with the signal's reason.
 */
export async function retry<T>(
  run: (attempt: Attempt) => T | PromiseLike<T>,
  options: RetryOptions = {},
): Promise<T> {
  const { maxAttempts = 3, clock = realClock, retryable, onFailure } = options;
  if (!(Number.isInteger(maxAttempts) && maxAttempts >= 1)) {
    throw new InvalidOptionError({
      option: "maxAttempts",
      got: maxAttempts,
      expected: "a whole number of at least 1",
    });
  }
  const backoff = new Backoff({ ...options, random: options.random ?? systemRandom });
  const signal = options.signal ?? new AbortController().signal;
  for (let attempt = 1; ; attempt++) {
    throwIfAborted(signal);
    try {
      return await run({ attempt, signal });
    } catch (error) {
      const isLast = attempt === maxAttempts || signal.aborted || retryable?.(error) === false;
      const nextDelay = isLast ? undefined : backoff.next();
      onFailure?.({ attempt, maxAttempts, error, nextDelay });
      throwIfAborted(signal);
      if (nextDelay === undefined) throw error;
      await sleep(clock, nextDelay, { signal });
    }
  }
}
