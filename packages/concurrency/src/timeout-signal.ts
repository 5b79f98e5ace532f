import { type DisposableSignal, LinkedAbortController } from "./abort.ts";
import type { Clock } from "./clock.ts";
import { type Duration, formatDuration, toMilliseconds } from "./duration.ts";

/** Something took longer than it was given. */
export class TimeoutError extends Error {
  readonly code = "TIMEOUT";
  override readonly name = "TimeoutError";
  /** The time given, in milliseconds. */
  readonly timeout: number;

  constructor(timeout: number) {
    super(`expected an end within ${formatDuration(timeout)}, got none`);
    this.timeout = timeout;
  }
}

export interface TimeoutSignalOptions {
  /** Aborts the signal too, with its own reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A signal that aborts with a {@link TimeoutError} after `duration`. Disposing drops the timer and
 * the listener; a timeout alone does not keep the process alive.
 *
 * ```ts
 * using timeout = timeoutSignal(clock, "5s", { signal });
 * await fetch(url, { signal: timeout.signal });
 * ```
 */
export function timeoutSignal(
  clock: Clock,
  duration: Duration,
  { signal }: TimeoutSignalOptions = {},
): DisposableSignal {
  const timeout = toMilliseconds(duration);
  return startTimeout({ clock, signal, after: timeout, timeout });
}

/** As {@link timeoutSignal}, where `after` is what is left of the `timeout` that errors name. */
export function startTimeout(options: {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly after: number;
  readonly timeout: number;
}): DisposableSignal {
  const controller = new LinkedAbortController(options.signal);
  if (controller.signal.aborted) return controller;
  const timer = options.clock.setTimer(options.after, () => {
    controller.abort(new TimeoutError(options.timeout));
  });
  timer.unref();
  controller.signal.addEventListener("abort", () => timer.cancel(), { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      timer.cancel();
      controller[Symbol.dispose]();
    },
  };
}
