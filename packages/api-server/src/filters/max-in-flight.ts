import type { FlowRequest, FlowTicket } from "../flow-control/flow-control.ts";
import { TooManyRequestsError } from "../flow-control/too-many-requests.ts";
import { isMutating } from "./requests-in-flight.ts";

/**
 * At most so many reads and so many writes at a time; what is more is refused at once, but for those
 * who may do everything. In the place of flow control where that is switched off.
 */
export class MaxInFlight {
  readonly #limits: { readonly reads: number; readonly writes: number };
  #reads = 0;
  #writes = 0;

  /** 0 is no limit. */
  constructor(limits: { readonly reads: number; readonly writes: number }) {
    this.#limits = limits;
  }

  admit({ asked, user }: FlowRequest): FlowTicket {
    const isWrite = isMutating(asked);
    const limit = isWrite ? this.#limits.writes : this.#limits.reads;
    const running = isWrite ? this.#writes : this.#reads;
    if (asked.verb === "watch" || limit === 0) return UNCOUNTED;
    if (running >= limit) {
      if (user.groups?.includes("system:masters") === true) return UNCOUNTED;
      throw new TooManyRequestsError("concurrency-limit", { retryAfter: 1 });
    }
    this.#count(isWrite, 1);
    let isRunning = true;
    return {
      headers: {},
      finish: () => {
        if (isRunning) this.#count(isWrite, -1);
        isRunning = false;
      },
    };
  }

  #count(isWrite: boolean, change: number): void {
    if (isWrite) this.#writes += change;
    else this.#reads += change;
  }
}

const UNCOUNTED: FlowTicket = { headers: {}, finish: () => undefined };
