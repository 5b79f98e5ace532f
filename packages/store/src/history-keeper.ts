import type { Clock, Timer } from "@homeostat/concurrency";
import { toMilliseconds } from "@homeostat/concurrency";
import type { CompactionPolicy } from "./compaction-policy.ts";
import type { Keyspace } from "./keyspace.ts";

export interface HistoryKeeperOptions {
  readonly clock: Clock;
  readonly keyspace: Keyspace;
  readonly policy: CompactionPolicy;
  readonly compact: (revision: number) => void;
}

/**
 * Bounds history by age and by size. The timer runs only while there is history, so that an idle
 * store is really idle.
 */
export class HistoryKeeper {
  readonly #options: HistoryKeeperOptions;
  readonly #maxAge: number;
  readonly #maxBytes: number;
  readonly #maxEvents: number;
  #timer: Timer | undefined;
  /** The store's revision when the timer was set: what is not newer is old enough when it fires. */
  #marked = 0;
  #isStopped = false;

  constructor(options: HistoryKeeperOptions) {
    this.#options = options;
    this.#maxAge = toMilliseconds(options.policy.maxAge ?? "5m", "compaction.maxAge");
    this.#maxBytes = options.policy.maxBytes ?? 64 * 1024 * 1024;
    this.#maxEvents = options.policy.maxEvents ?? 1_000_000;
    if (!(this.#maxBytes >= 0))
      throw new RangeError(`compaction.maxBytes must be 0 or more, got ${this.#maxBytes}`);
    if (!(this.#maxEvents >= 0))
      throw new RangeError(`compaction.maxEvents must be 0 or more, got ${this.#maxEvents}`);
  }

  /** To be told after each commit. */
  committed(): void {
    const { history } = this.#options.keyspace;
    if (this.#isStopped || history.length === 0) return;
    this.#setTimer();
    if (history.bytes > this.#maxBytes || history.length > this.#maxEvents) this.#shrink();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #setTimer(): void {
    if (this.#timer !== undefined || this.#maxAge === 0) return;
    this.#marked = this.#options.keyspace.revision;
    this.#timer = this.#options.clock.setTimer(this.#maxAge, () => {
      this.#timer = undefined;
      this.#options.compact(this.#marked);
      if (this.#options.keyspace.history.length > 0) this.#setTimer();
    });
    this.#timer.unref();
  }

  /** To three quarters of the limits, so that not every commit has to compact. */
  #shrink(): void {
    const { history } = this.#options.keyspace;
    let bytes = history.bytes - this.#maxBytes * 0.75;
    let events = history.length - this.#maxEvents * 0.75;
    let revision = 0;
    history.visitAfter(0, (version) => {
      revision = version.revision;
      bytes -= version.previous?.length ?? 0;
      events -= 1;
      return bytes > 0 || events > 0;
    });
    this.#options.compact(revision);
  }
}
