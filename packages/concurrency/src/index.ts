/**
 * Time, chance, waiting and fan-out. Everything above takes its `Clock` and its `Random` from
 * here, and with a `ManualClock` and a `seededRandom` a whole system replays itself from one seed;
 * `realClock` and `systemRandom` are the only doors to the machine's own time and chance.
 * Everything that waits takes an `AbortSignal` and rejects with its reason; everything that is
 * started can be stopped, and leaves no timer or listener behind.
 */
export {
  AbortError,
  abortable,
  anySignal,
  type DisposableSignal,
  isAbortError,
  LinkedAbortController,
  onAbort,
  throwIfAborted,
} from "./abort.ts";
export {
  AsyncChannel,
  type AsyncChannelOptions,
  ChannelClosedError,
  type ChannelWaitOptions,
} from "./async-channel.ts";
export { Backoff, type BackoffOptions, backoffDelay } from "./backoff.ts";
export {
  Broadcaster,
  type BroadcasterOptions,
  type SubscribeOptions,
  SubscriberOverflowError,
  type Subscription,
} from "./broadcaster.ts";
export type { Clock, Timer } from "./clock.ts";
export { Deadline, type DeadlineRunOptions } from "./deadline.ts";
export { Deferred } from "./deferred.ts";
export { type Duration, formatDuration, toMilliseconds } from "./duration.ts";
export { InvalidOptionError } from "./invalid-option-error.ts";
export {
  ManualClock,
  ManualClockError,
  type ManualClockOptions,
  type RunUntilOptions,
} from "./manual-clock.ts";
export type { Random } from "./random.ts";
export { realClock } from "./real-clock.ts";
export { type Attempt, type AttemptFailure, type RetryOptions, retry } from "./retry.ts";
export { type SeededRandom, seededRandom } from "./seeded-random.ts";
export { type SleepOptions, sleep } from "./sleep.ts";
export { systemRandom } from "./system-random.ts";
export {
  type JoinOptions,
  type Task,
  TaskGroup,
  TaskGroupClosedError,
  type TaskGroupOptions,
} from "./task-group.ts";
export { TimeoutError, type TimeoutSignalOptions, timeoutSignal } from "./timeout-signal.ts";
