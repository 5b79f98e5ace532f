import type { PriorityLevel } from "./priority-level.ts";
import { shareSeats } from "./share-seats.ts";

/**
 * Gives every level a limit for the time to come, by what it wanted in the time before: levels that
 * have little to do lend to those that have much, and get back what they need a period later.
 */
export function lendSeats(
  levels: readonly PriorityLevel[],
  { now, periods }: { readonly now: number; readonly periods: number },
): void {
  const sum = levels.reduce((before, { nominal }) => before + nominal, 0);
  let left = sum;
  let lowestSum = 0;
  let neededSum = 0;
  const limited: { level: PriorityLevel; needed: number }[] = [];
  for (const level of levels) {
    const { demand } = level.queues;
    demand.endPeriod(now, periods);
    if (level.isExempt) {
      const used = Math.max(level.lowest, demand.highWatermark);
      left -= used;
      level.queues.limit = used;
      continue;
    }
    const needed = Math.max(level.lowest, Math.min(level.nominal, demand.highWatermark));
    limited.push({ level, needed });
    lowestSum += level.lowest;
    neededSum += needed;
  }
  if (left <= neededSum) {
    const part = left <= lowestSum ? 0 : (left - lowestSum) / (neededSum - lowestSum);
    for (const { level, needed } of limited) {
      level.queues.setLimit(level.lowest + Math.round((needed - level.lowest) * part), now);
    }
    return;
  }
  const shares = shareSeats(
    sum,
    limited.map(({ level, needed }) => ({
      lowest: needed,
      highest: level.highest,
      target: Math.max(needed, level.queues.demand.smoothed),
    })),
  );
  for (const [at, { level }] of limited.entries()) {
    level.queues.setLimit(Math.round(shares[at]!), now);
  }
}
