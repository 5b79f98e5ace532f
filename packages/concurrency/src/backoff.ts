import { type Duration, toMilliseconds } from "./duration.ts";
import { InvalidOptionError } from "./invalid-option-error.ts";
import type { Random } from "./random.ts";

export interface BackoffOptions {
  /** Delay after the first failure. Default: "1s". */
  readonly initial?: Duration | undefined;

  /** Each delay is the one before it times this; at least 1. Default: 2. */
  readonly factor?: number | undefined;

  /** No delay is longer than this. Default: "30s". */
  readonly max?: Duration | undefined;

  /**
   * Which share of each delay is left to chance, 0 to 1: the delay is uniform between (1 - jitter)
   * times itself and itself, so `max` still holds. Default: 0. Above 0 it needs a `random`.
   */
  readonly jitter?: number | undefined;

  readonly random?: Random | undefined;
}

/** The delay in milliseconds after failure number `failures`, counted from 1. */
export function backoffDelay(failures: number, options: BackoffOptions = {}): number {
  return delayAfter(failures, resolve(options));
}

/** The growing delays of one thing that keeps failing; {@link reset} when it succeeds. */
export class Backoff {
  readonly #settings: Settings;
  #failures = 0;

  constructor(options: BackoffOptions = {}) {
    this.#settings = resolve(options);
  }

  /** Failures counted since the start or the last reset. */
  get failures(): number {
    return this.#failures;
  }

  /** Counts one more failure and tells the delay after it, in milliseconds. */
  next(): number {
    this.#failures += 1;
    return delayAfter(this.#failures, this.#settings);
  }

  reset(): void {
    this.#failures = 0;
  }
}

interface Settings {
  readonly initial: number;
  readonly factor: number;
  readonly max: number;
  readonly jitter: number;
  readonly random: Random | undefined;
}

function resolve({ initial, factor, max, jitter, random }: BackoffOptions): Settings {
  const settings = {
    initial: toMilliseconds(initial ?? "1s", "initial"),
    factor: factor ?? 2,
    max: toMilliseconds(max ?? "30s", "max"),
    jitter: jitter ?? 0,
    random,
  };
  if (!(settings.factor >= 1 && settings.factor < Number.POSITIVE_INFINITY)) {
    throw new InvalidOptionError({
      option: "factor",
      got: factor,
      expected: "a number of at least 1",
    });
  }
  if (!(settings.jitter >= 0 && settings.jitter <= 1)) {
    throw new InvalidOptionError({
      option: "jitter",
      got: jitter,
      expected: "a number from 0 to 1",
    });
  }
  if (settings.jitter > 0 && random === undefined) {
    throw new InvalidOptionError({
      option: "random",
      got: random,
      expected: "a Random, because jitter is above 0",
    });
  }
  return settings;
}

function delayAfter(failures: number, { initial, factor, max, jitter, random }: Settings): number {
  if (!(failures >= 1)) {
    throw new InvalidOptionError({
      option: "failures",
      got: failures,
      expected: "a number of at least 1",
    });
  }
  // The power may reach infinity, and infinity times an initial delay of 0 is not a number.
  const delay = initial === 0 ? 0 : Math.min(max, initial * factor ** (failures - 1));
  return random === undefined || jitter === 0 ? delay : delay * (1 - jitter * random.float());
}
