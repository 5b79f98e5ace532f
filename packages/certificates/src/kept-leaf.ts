import type { Clock, Timer } from "@homeostat/concurrency";
import type { Leaf } from "./leaf.ts";
import { isRenewalDue, renewalTime } from "./validity.ts";

export interface LeafEvents {
  /** Called with each new leaf after the first. */
  readonly onRotate?: (leaf: Leaf) => void;
  /** A new leaf could not be made or stored, or `onRotate` threw. The old one stays; tried again. */
  readonly onError?: (error: unknown) => void;
}

/** Timers know monotonic time, certificates wall time, which may step: looked at so often. */
const LOOK_AGAIN = 3_600_000;

/** A leaf that is replaced before it ends, until this is disposed of. Keeps no process alive. */
export class KeptLeaf implements Disposable {
  readonly #replace: (replaced: Leaf) => Promise<Leaf>;
  readonly #clock: Clock;
  readonly #events: LeafEvents;
  #current: Leaf;
  #timer: Timer | undefined;
  #isDisposed = false;

  /** Authority.keep makes these. */
  constructor(options: {
    leaf: Leaf;
    replace: (replaced: Leaf) => Promise<Leaf>;
    clock: Clock;
    events: LeafEvents;
  }) {
    this.#current = options.leaf;
    this.#replace = options.replace;
    this.#clock = options.clock;
    this.#events = options.events;
    this.#wait();
  }

  get current(): Leaf {
    return this.#current;
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#timer?.cancel();
  }

  #wait(): void {
    if (this.#isDisposed) return;
    const remaining = renewalTime(this.#current) - this.#clock.now();
    const delay = remaining > 0 ? Math.min(remaining, LOOK_AGAIN) : LOOK_AGAIN;
    this.#timer = this.#clock.setTimer(delay, () => {
      void this.#look().finally(() => this.#wait());
    });
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    if (!isRenewalDue(this.#current, this.#clock.now())) return;
    try {
      const leaf = await this.#replace(this.#current);
      if (this.#isDisposed) return;
      this.#current = leaf;
      this.#events.onRotate?.(leaf);
    } catch (error) {
      this.#events.onError?.(error);
    }
  }
}
