// What one thing costs: the same request with it and without it.
import type { BenchContext } from "../harness/bench-context.ts";
import { median, medianInterval } from "../harness/statistics.ts";
import { formatNumber } from "../harness/table.ts";

/** One figure per round; those of one round belong together. */
export interface WithAndWithout {
  readonly with: readonly number[];
  readonly without: readonly number[];
}

export interface CostRow {
  /** The thing. */
  readonly what: string;
  readonly request: string;
  readonly ours?: WithAndWithout | undefined;
  readonly peer?: WithAndWithout | undefined;
}

export function showCosts(context: BenchContext, title: string, rows: readonly CostRow[]): void {
  context.table({
    title,
    columns: [
      "what",
      "request",
      "ours with",
      "without",
      "cost (95 %)",
      "kube-apiserver + etcd with",
      "without",
      "cost (95 %)",
    ],
    rows: rows.map(({ what, request, ours, peer }) => [
      what,
      request,
      ...costCells(ours),
      ...costCells(peer),
    ]),
  });
}

/**
 * The medians, and the median of the rounds' differences: what disturbed a round disturbed both of its
 * figures, so it is not the difference of the medians.
 */
export function costCells(
  measured: WithAndWithout | undefined,
): readonly (string | number | undefined)[] {
  if (measured === undefined) return [undefined, undefined, undefined];
  const differences = measured.with.map((figure, round) => figure - measured.without[round]!);
  return [median(measured.with), median(measured.without), costText(differences)];
}

function costText(differences: readonly number[]): string {
  const text = (value: number): string => formatNumber(Math.round(value * 10) / 10);
  const cost = text(median(differences));
  if (differences.length < 2) return cost;
  const { low, high } = medianInterval(differences);
  return `${cost} (${text(low)} to ${text(high)})`;
}
