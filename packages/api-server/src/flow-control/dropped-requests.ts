const LONGEST = 32;

/**
 * For how long those who were refused are to stay away: twice as long when many were refused in that
 * time, and a second less when few were. Seconds, from 1 to 32.
 */
export class DroppedRequests {
  retryAfter = 1;
  #raisedAt = 0;
  #second = -1;
  #count = 0;
  #history: { readonly second: number; readonly count: number }[] = [];

  note(second: number): void {
    if (second === this.#second) {
      this.#count++;
      return;
    }
    this.#history.push({ second: this.#second, count: this.#count });
    this.#history = this.#history.filter((each) => second - each.second <= LONGEST);
    this.#second = second;
    this.#count = 1;
    this.#update(second);
  }

  #update(second: number): void {
    const { retryAfter } = this;
    const dropped = this.#history
      .filter((each) => second - each.second <= retryAfter && each.second < second)
      .reduce((sum, { count }) => sum + count, 0);
    if (second - this.#raisedAt >= retryAfter && dropped >= 3 * retryAfter) {
      this.retryAfter = Math.min(LONGEST, 2 * retryAfter);
      this.#raisedAt = second;
    } else if (dropped < retryAfter && retryAfter > 1) this.retryAfter = retryAfter - 1;
  }
}
