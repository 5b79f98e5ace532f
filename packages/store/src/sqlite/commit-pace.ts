/** Above this median, in milliseconds, a commit holds the loop for too long. */
const slow = 1;
/** Below this the round trip to the worker costs more than it saves; lower, so as not to swing. */
const fast = 0.8;
/** How many commits are looked at: few to leave a slow disk soon, many to come back only for good. */
const samplesToLeave = 31;
const samplesToReturn = 127;

/**
 * Where commits are written: on the loop, which is quickest on a fast disk, or in the worker once
 * their median time would hold up everything else.
 */
export class CommitPace {
  #mode: "loop" | "worker" = "loop";
  #samples: number[] = [];

  get mode(): "loop" | "worker" {
    return this.#mode;
  }

  /** Takes the time of one commit in the present mode. */
  took(milliseconds: number): void {
    this.#samples.push(milliseconds);
    const wanted = this.#mode === "loop" ? samplesToLeave : samplesToReturn;
    if (this.#samples.length < wanted) return;
    const median = this.#samples.sort((a, b) => a - b)[wanted >> 1]!;
    this.#samples = [];
    if (this.#mode === "loop" && median > slow) this.#mode = "worker";
    else if (this.#mode === "worker" && median < fast) this.#mode = "loop";
  }
}
