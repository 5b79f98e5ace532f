import type { Duration } from "@homeostat/concurrency";

/** How much history the store keeps. Whichever limit is reached first compacts. */
export interface CompactionPolicy {
  /** Changes are kept for at least this long, and at most twice as long. Default "5m"; 0: no limit. */
  readonly maxAge?: Duration;
  /** Bytes of replaced values kept for history. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Kept changes. Default 1,000,000. */
  readonly maxEvents?: number;
}
