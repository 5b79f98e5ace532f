import type { EventEmitter } from "node:events";
import { type Clock, Deferred } from "@homeostat/concurrency";

export interface StopSignalsOptions {
  readonly clock: Clock;
  readonly onSecond: () => void;
  /** Default: the process. */
  readonly source?: EventEmitter;
}

/**
 * A terminal's Ctrl-C reaches every process of its group, and npm and the launcher hand theirs on:
 * what arrives this soon after the first signal is its echo.
 */
const ECHO = 250;

/** SIGINT and SIGTERM while this is in use: the first asks to stop, the second ends the process. */
export class StopSignals implements Disposable {
  readonly #stopped = new Deferred<NodeJS.Signals>();
  readonly #clock: Clock;
  readonly #onSecond: () => void;
  readonly #source: EventEmitter;
  #stoppedAt: number | undefined;

  constructor({ clock, onSecond, source = process }: StopSignalsOptions) {
    this.#clock = clock;
    this.#onSecond = onSecond;
    this.#source = source;
    source.on("SIGINT", this.#receive);
    source.on("SIGTERM", this.#receive);
  }

  get stopped(): Promise<NodeJS.Signals> {
    return this.#stopped.promise;
  }

  [Symbol.dispose](): void {
    this.#source.off("SIGINT", this.#receive);
    this.#source.off("SIGTERM", this.#receive);
  }

  readonly #receive = (signal: NodeJS.Signals): void => {
    const now = this.#clock.monotonic();
    if (this.#stoppedAt === undefined) {
      this.#stoppedAt = now;
      this.#stopped.resolve(signal);
    } else if (now - this.#stoppedAt > ECHO) {
      this.#onSecond();
    }
  };
}
