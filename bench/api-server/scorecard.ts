// What was reached, beside what was aimed at. A row is one cost (less is better) on each side.
import type { BenchContext } from "../harness/bench-context.ts";
import { median, ratioInterval } from "../harness/statistics.ts";
import { formatNumber } from "../harness/table.ts";
import type { BySide } from "./servers.ts";

export interface Aim {
  /** The peer's cost must be at least so many times ours. */
  readonly peerTimes?: number;
  /** Ours must be at most so many times the bare handler's. */
  readonly floorTimes?: number;
}

export interface ScoreRow {
  readonly what: string;
  readonly unit: string;
  /** One cost per round. */
  readonly costs: BySide<readonly number[]>;
  readonly aim: Aim;
}

export interface Verdict {
  readonly reached: boolean | undefined;
  readonly cells: readonly (string | number | undefined)[];
  /** The aims that were missed, in words. */
  readonly missed: readonly string[];
}

export class Scorecard {
  readonly #rows: ScoreRow[] = [];

  add(row: ScoreRow): void {
    this.#rows.push(row);
  }

  print(context: BenchContext): void {
    const verdicts = this.#rows.map(judge);
    context.table({
      title: "Costs and aims (medians; less is better)",
      columns: [
        "what",
        "unit",
        "ours",
        "kube-apiserver + etcd",
        "bare handler",
        "peer/ours (95 %)",
        "ours/bare",
        "aim",
        "reached",
      ],
      rows: verdicts.map(({ cells }) => cells),
    });
    const missed = verdicts.flatMap((verdict) => verdict.missed);
    const unknown = verdicts.filter(({ reached }) => reached === undefined).length;
    if (missed.length > 0) context.note(`Missed aims:\n${missed.map((m) => `- ${m}`).join("\n")}`);
    else if (unknown === 0) context.note("Every aim was reached.");
    if (unknown > 0) context.note(`${unknown} rows have an aim that could not be judged here.`);
  }
}

export function judge(row: ScoreRow): Verdict {
  const { ours, peer, floor } = row.costs;
  const middle = (samples: readonly number[] | undefined): number | undefined =>
    samples === undefined || samples.length === 0 ? undefined : median(samples);
  const [cost, peerCost, floorCost] = [middle(ours), middle(peer), middle(floor)];
  const gain = ratio(peerCost, cost);
  const above = ratio(cost, floorCost);
  const missed: string[] = [];
  const judged: (boolean | undefined)[] = [];
  const check = (
    wanted: number | undefined,
    isReached: boolean | undefined,
    text: string,
  ): void => {
    if (wanted === undefined) return;
    judged.push(isReached);
    if (isReached === false) missed.push(`${row.what}: ${text}`);
  };
  const { peerTimes, floorTimes } = row.aim;
  check(
    peerTimes,
    gain === undefined ? undefined : gain >= peerTimes!,
    `1/${formatNumber(gain ?? 0)} of the peer, aim 1/${peerTimes}`,
  );
  check(
    floorTimes,
    above === undefined ? undefined : above <= floorTimes!,
    `${formatNumber(above ?? 0)}x the bare handler, aim at most ${floorTimes}x`,
  );
  const reached = judged.includes(false) ? false : judged.includes(undefined) ? undefined : true;
  return {
    reached,
    missed,
    cells: [
      row.what,
      row.unit,
      cost,
      peerCost,
      floorCost,
      gain === undefined ? undefined : `${formatNumber(gain)}${interval(peer!, ours!)}`,
      above,
      aimText(row.aim),
      judged.length === 0 ? undefined : reachedText(reached),
    ],
  };
}

/** Undefined where one was not measured, or is below what can be measured. */
function ratio(of: number | undefined, to: number | undefined): number | undefined {
  return of === undefined || to === undefined || to === 0 ? undefined : of / to;
}

function interval(of: readonly number[], to: readonly number[]): string {
  if (of.length < 2 || to.length < 2) return "";
  const { low, high } = ratioInterval(of, to);
  return ` (${formatNumber(low)} to ${formatNumber(high)})`;
}

function aimText({ peerTimes, floorTimes }: Aim): string {
  const parts = [
    peerTimes === undefined ? [] : [`1/${peerTimes} of the peer`],
    floorTimes === undefined ? [] : [`at most ${floorTimes}x bare`],
  ];
  return parts.flat().join(", ") || "-";
}

function reachedText(reached: boolean | undefined): string {
  if (reached === undefined) return "?";
  return reached ? "yes" : "NO";
}
