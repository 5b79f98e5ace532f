/** What one of those who share wants, and between which numbers it has to get something. */
export interface SeatClaim {
  readonly lowest: number;
  readonly highest: number;
  /** At least the lowest. */
  readonly target: number;
}

const SMALLEST_TARGET = 0.001;
/** Doubles the precision each time: more than a number has. */
const STEPS = 60;

/**
 * Shares out a sum so that everybody gets the same part or multiple of its target, as far as its
 * bounds allow. The sum must lie between those of the bounds.
 */
export function shareSeats(sum: number, claims: readonly SeatClaim[]): readonly number[] {
  const targets = claims.map(({ target }) => Math.max(target, SMALLEST_TARGET));
  const sharesAt = (part: number): number[] =>
    claims.map(({ lowest, highest }, at) =>
      Math.max(lowest, Math.min(highest, part * targets[at]!)),
    );
  const total = (shares: readonly number[]): number =>
    shares.reduce((before, share) => before + share, 0);
  let low = 0;
  let high = Math.max(1, ...claims.map(({ highest }, at) => highest / targets[at]!));
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (total(sharesAt(middle)) < sum) low = middle;
    else high = middle;
  }
  return sharesAt(high);
}
