/** How much of what was wanted a minute ago still counts, after each period: half of it in 5 minutes. */
const SMOOTHING = 0.977;

/** How many seats a priority level has wanted over a period, in use and waited for. */
export class SeatDemand {
  #value = 0;
  #since: number;
  #periodBegan: number;
  #integral = 0;
  #squares = 0;
  /** The most at any time of this period, and then of the last one. */
  #highest = 0;
  highWatermark = 0;
  smoothed = 0;

  constructor(now: number) {
    this.#since = now;
    this.#periodBegan = now;
  }

  set(value: number, now: number): void {
    const elapsed = now - this.#since;
    this.#integral += this.#value * elapsed;
    this.#squares += this.#value * this.#value * elapsed;
    this.#since = now;
    this.#value = value;
    if (value > this.#highest) this.#highest = value;
  }

  /** Ends a time of so many periods and begins the next. */
  endPeriod(now: number, periods: number): void {
    this.set(this.#value, now);
    const duration = now - this.#periodBegan;
    this.highWatermark = this.#highest;
    if (duration > 0) {
      const average = this.#integral / duration;
      const variance = Math.max(0, this.#squares / duration - average * average);
      const envelope = average + Math.sqrt(variance);
      const kept = SMOOTHING ** Math.max(1, periods);
      this.smoothed = Math.max(envelope, kept * this.smoothed + (1 - kept) * envelope);
    }
    this.#periodBegan = now;
    this.#integral = 0;
    this.#squares = 0;
    this.#highest = this.#value;
  }
}
