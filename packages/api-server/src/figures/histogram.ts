/** Counts of observations by size. Observing allocates nothing. */
export class Histogram {
  /** Upper bounds, ascending; beyond the last is one more bucket. */
  readonly bounds: readonly number[];
  /** Not cumulative; one more than there are bounds. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds } = this;
    let at = 0;
    // Most observations are in the first buckets.
    while (at < bounds.length && value > bounds[at]!) at++;
    this.counts[at]!++;
    this.sum += value;
  }
}
