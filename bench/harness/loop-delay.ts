// How long the event loop kept others waiting.
import { monitorEventLoopDelay } from "node:perf_hooks";

export interface LoopDelayResult {
  readonly p99Milliseconds: number;
  readonly maxMilliseconds: number;
}

/** Milliseconds between two looks at the loop; a delay is what comes on top of it. */
const resolution = 1;

/** Watches the loop of this thread from `new LoopDelay()` until `stop()`. */
export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution });

  constructor() {
    this.#histogram.enable();
  }

  stop(): LoopDelayResult {
    this.#histogram.disable();
    return {
      p99Milliseconds: delay(this.#histogram.percentile(99)),
      maxMilliseconds: delay(this.#histogram.max),
    };
  }
}

function delay(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - resolution);
}
