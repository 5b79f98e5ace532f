import { onAbort, throwIfAborted } from "./abort.ts";
import type { Clock } from "./clock.ts";
import { type Duration, toMilliseconds } from "./duration.ts";

export interface SleepOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Waits; rejects with the signal's reason, and drops the timer, when that aborts first. */
export async function sleep(
  clock: Clock,
  duration: Duration,
  { signal }: SleepOptions = {},
): Promise<void> {
  const delay = toMilliseconds(duration);
  throwIfAborted(signal);
  await new Promise<void>((resolve, reject) => {
    const timer = clock.setTimer(delay, () => {
      listening[Symbol.dispose]();
      resolve();
    });
    const listening = onAbort(signal, (reason) => {
      timer.cancel();
      reject(reason);
    });
  });
}
