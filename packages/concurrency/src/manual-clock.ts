import { setImmediate } from "node:timers";
import type { Clock, Timer } from "./clock.ts";
import { type Duration, formatDuration, toMilliseconds } from "./duration.ts";
import { InvalidOptionError } from "./invalid-option-error.ts";
import { HeapTimer, TimerHeap } from "./timer-heap.ts";
import { TurnTasks } from "./turn-tasks.ts";

/** Why a manual clock cannot go on. */
export class ManualClockError extends Error {
  /**
   * `DEADLOCK`: what was waited for cannot happen any more, no timer and no task is pending.
   * `TIME_LIMIT`: it did not happen in the time allowed.
   * `LIVELOCK`: work at one instant keeps making work for the same instant.
   * `ALREADY_DRIVEN`: somebody else is advancing this clock.
   */
  readonly code: "DEADLOCK" | "TIME_LIMIT" | "LIVELOCK" | "ALREADY_DRIVEN";
  override readonly name = "ManualClockError";

  constructor(code: ManualClockError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export interface ManualClockOptions {
  /** Wall time at the start, in milliseconds since the epoch. Default: 2026-01-01T00:00:00Z. */
  readonly startAt?: number;

  /** Timers and turns allowed without time passing, before LIVELOCK. Default: 1,000,000. */
  readonly maxTurnsPerInstant?: number;
}

export interface RunUntilOptions {
  /** Manual time after which to give up with TIME_LIMIT. Default: "1h". */
  readonly maxTime?: Duration;
}

/** One trip through the event loop: every promise continuation, however deep, has run after it. */
const afterContinuations = setImmediate;

const START_OF_2026 = 1_767_225_600_000;

/**
 * A clock that stands still until it is told to move, so that a whole system (store, controllers,
 * queues) runs in zero time and always in the same order:
 *
 * 1. all promise continuations, until none is left;
 * 2. all end-of-turn tasks given so far, in order and without a pause, then 1 again;
 * 3. the earliest timer, by due time and then by creation, then 1 again.
 *
 * What a timer or task throws rejects the call that drives the clock; the rest stays pending. Real
 * input and output is not waited for: a system on a manual clock has none.
 */
export class ManualClock implements Clock {
  readonly #timers = new TimerHeap();
  readonly #tasks = new TurnTasks();
  readonly #maxTurns: number;
  #created = 0;
  #monotonic = 0;
  #wallAhead: number;
  #isDriven = false;

  constructor({
    startAt = START_OF_2026,
    maxTurnsPerInstant = 1_000_000,
  }: ManualClockOptions = {}) {
    this.#wallAhead = finite("startAt", startAt);
    this.#maxTurns = maxTurnsPerInstant;
    if (!(maxTurnsPerInstant >= 1)) {
      throw new InvalidOptionError({
        option: "maxTurnsPerInstant",
        got: maxTurnsPerInstant,
        expected: "a number of at least 1",
      });
    }
  }

  now(): number {
    return Math.floor(this.#wallAhead + this.#monotonic);
  }

  /** Starts at 0. */
  monotonic(): number {
    return this.#monotonic;
  }

  setTimer(delay: number, fire: () => void): Timer {
    const due = this.#monotonic + Math.max(0, finite("delay", delay));
    return new HeapTimer(this.#timers, { due, order: this.#created++, fire });
  }

  endOfTurn(task: () => void): void {
    this.#tasks.add(task);
  }

  /** How many timers and end-of-turn tasks wait to run. */
  get pending(): number {
    return this.#timers.size + this.#tasks.size;
  }

  /** When the earliest timer is due, in {@link monotonic} time; undefined when there is none. */
  get nextDue(): number | undefined {
    return this.#timers.peek()?.due;
  }

  /** Moves the wall clock alone, forward or back, as an administrator would. No timer fires. */
  step(milliseconds: number): void {
    this.#wallAhead += finite("milliseconds", milliseconds);
  }

  /** Moves time on and runs everything that is due on the way, each at its own time. */
  async advance(duration: Duration): Promise<void> {
    const target = this.#monotonic + toMilliseconds(duration, "duration");
    await this.#drive(async () => {
      await this.#run(target);
      this.#monotonic = target;
    });
  }

  /** Runs what can run without time passing, timers due now included. */
  async settle(): Promise<void> {
    await this.#drive(() => this.#run(this.#monotonic));
  }

  /**
   * Settles, then jumps to the earliest timer and runs everything due at that instant. False, and
   * time has not moved, when there was no timer.
   */
  async advanceToNext(): Promise<boolean> {
    return this.#drive(async () => {
      await this.#run(this.#monotonic);
      if (!this.#runNext(Number.POSITIVE_INFINITY)) return false;
      await this.#run(this.#monotonic);
      return true;
    });
  }

  /**
   * Runs the system until the promise settles (its value or error is handed on) or the predicate is
   * true; it is asked after every turn. Time then stands at that moment and later timers are still
   * pending.
   */
  async runUntil<T>(promise: PromiseLike<T>, options?: RunUntilOptions): Promise<T>;
  async runUntil(predicate: () => boolean, options?: RunUntilOptions): Promise<void>;
  async runUntil(
    goal: PromiseLike<unknown> | (() => boolean),
    { maxTime = "1h" }: RunUntilOptions = {},
  ): Promise<unknown> {
    const target = this.#monotonic + toMilliseconds(maxTime, "maxTime");
    const isPredicate = typeof goal === "function";
    let isReached = false;
    const reached = (): void => void (isReached = true);
    if (!isPredicate) goal.then(reached, reached);
    const stop = isPredicate ? goal : (): boolean => isReached;
    await this.#drive(async () => {
      if (!(await this.#run(target, stop))) throw this.#unreachable(maxTime);
    });
    return isPredicate ? undefined : goal;
  }

  /** Runs everything due until `target`; true as soon as `stop` says so, false when all has run. */
  #run(target: number, stop?: () => boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let turns = 0;
      let instant = this.#monotonic;
      const turn = (): void => {
        try {
          if (stop?.() === true) return resolve(true);
          if (!this.#runNext(target)) return resolve(false);
          if (this.#monotonic > instant) turns = 0;
          instant = this.#monotonic;
          if (++turns > this.#maxTurns) return reject(this.#livelock());
          afterContinuations(turn);
        } catch (error) {
          reject(error);
        }
      };
      afterContinuations(turn);
    });
  }

  /** Runs the tasks of this turn, or else the earliest timer due until `target`. */
  #runNext(target: number): boolean {
    if (this.#tasks.size > 0) {
      this.#tasks.run();
      return true;
    }
    const timer = this.#timers.peek();
    if (timer === undefined || timer.due > target) return false;
    this.#monotonic = Math.max(this.#monotonic, timer.due);
    this.#timers.remove(timer);
    timer.fire();
    return true;
  }

  async #drive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isDriven) {
      throw new ManualClockError(
        "ALREADY_DRIVEN",
        "this manual clock is being advanced already: await that call first, and let code that runs on the clock wait with sleep()",
      );
    }
    this.#isDriven = true;
    try {
      return await work();
    } finally {
      this.#isDriven = false;
    }
  }

  #unreachable(maxTime: Duration): ManualClockError {
    const due = this.nextDue;
    const now = formatDuration(this.#monotonic);
    if (due === undefined) {
      return new ManualClockError(
        "DEADLOCK",
        `what is awaited has not happened and cannot any more: at ${now} on the clock, no timer and no task is pending (real input and output is not waited for)`,
      );
    }
    return new ManualClockError(
      "TIME_LIMIT",
      `what is awaited has not happened within ${formatDuration(toMilliseconds(maxTime))}: the clock is at ${now}, the next of ${this.pending} pending timers is due at ${formatDuration(due)}`,
    );
  }

  #livelock(): ManualClockError {
    return new ManualClockError(
      "LIVELOCK",
      `more than ${this.#maxTurns} turns at ${formatDuration(this.#monotonic)} on the clock: a timer without delay or an end-of-turn task keeps starting itself again`,
    );
  }
}

function finite(option: string, value: number): number {
  if (Number.isFinite(value)) return value;
  throw new InvalidOptionError({ option, got: value, expected: "a finite number of milliseconds" });
}
