import type { Clock } from "@homeostat/concurrency";
import { ApiError } from "@homeostat/object-model";

/** How much memory there is, and how much of it is in use, in bytes. */
export interface MemoryGauge {
  read(): { readonly used: number; readonly limit: number };
}

/** Reading the gauge costs a system call; within this time the last reading counts. */
const GOOD_FOR = 20;
/** What stays free for the work of reading, deleting and collecting garbage. */
const RESERVE = 0.12;

/**
 * Refuses to take in more when memory runs out, so that a full server says so and goes on serving
 * what it has, where it would otherwise be killed.
 */
export class MemoryLimit {
  readonly #gauge: MemoryGauge;
  readonly #clock: Clock;
  #readAt = Number.NEGATIVE_INFINITY;
  #full: { readonly used: number; readonly limit: number } | undefined;

  constructor(gauge: MemoryGauge, clock: Clock) {
    this.#gauge = gauge;
    this.#clock = clock;
  }

  /** Throws 507 when nothing more can be stored. */
  admitGrowth(): void {
    const now = this.#clock.monotonic();
    if (now - this.#readAt >= GOOD_FOR) {
      this.#readAt = now;
      const reading = this.#gauge.read();
      this.#full = reading.used > reading.limit * (1 - RESERVE) ? reading : undefined;
    }
    if (this.#full !== undefined) throw full(this.#full);
  }
}

function full({ used, limit }: { used: number; limit: number }): ApiError {
  return new ApiError({
    reason: "InsufficientStorage",
    httpStatus: 507,
    message: `the server is full: ${mebibytes(used)} MiB of ${mebibytes(limit)} MiB memory are in use. Delete objects, or give it more memory`,
  });
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}
