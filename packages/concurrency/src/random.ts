/**
 * The seam of chance: everything random (jitter, names, uids, ports) comes from a Random given
 * from outside. `seededRandom` repeats itself from its seed; `systemRandom` does not.
 */
export interface Random {
  /** Uniform in [0, 1). */
  float(): number;

  /** Uniform integer in [0, bound). `bound` is at least 1 and at most 2^32. */
  below(bound: number): number;

  /** `length` random bytes, new. */
  bytes(length: number): Uint8Array;

  /** A version 4 UUID, lower case. */
  uuid(): string;
}
