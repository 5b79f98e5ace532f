// What a list of measurements says. Every function refuses an empty list: there is no honest number.

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  /** Share of the resampled values inside the interval; 0.95 unless said. */
  readonly confidence?: number;
  readonly resamples?: number;
  /** In [0, 1); `Math.random` unless said. */
  readonly random?: () => number;
}

/** The value below which `share` (0 to 1) of the samples lie, between two samples by interpolation. */
export function percentile(samples: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(samples).sort();
  if (sorted.length === 0) throw new RangeError("A percentile of no samples was asked for");
  if (!(share >= 0 && share <= 1)) {
    throw new RangeError(`A percentile's share is between 0 and 1; got ${share}`);
  }
  const place = share * (sorted.length - 1);
  const below = sorted.at(Math.floor(place))!;
  const above = sorted.at(Math.ceil(place))!;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(samples: Iterable<number>): number {
  return percentile(samples, 0.5);
}

/** Where the median would lie if the same measurement were made again: percentile bootstrap. */
export function medianInterval(
  samples: readonly number[],
  options: BootstrapOptions = {},
): Interval {
  return bootstrap((random) => median(resample(samples, random)), options);
}

/**
 * Where median(of) / median(to) would lie. A promise such as "10x the peer" holds when `low` is
 * above it.
 */
export function ratioInterval(
  of: readonly number[],
  to: readonly number[],
  options: BootstrapOptions = {},
): Interval {
  return bootstrap(
    (random) => median(resample(of, random)) / median(resample(to, random)),
    options,
  );
}

function bootstrap(draw: (random: () => number) => number, options: BootstrapOptions): Interval {
  const { confidence = 0.95, resamples = 2000, random = Math.random } = options;
  const drawn = Array.from({ length: resamples }, () => draw(random));
  return {
    low: percentile(drawn, (1 - confidence) / 2),
    high: percentile(drawn, (1 + confidence) / 2),
  };
}

function resample(samples: readonly number[], random: () => number): number[] {
  return samples.map(() => samples.at(Math.floor(random() * samples.length))!);
}
