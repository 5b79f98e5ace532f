// The table of loads that send requests as fast as they are answered.
import type { BenchContext } from "../harness/bench-context.ts";
import { median } from "../harness/statistics.ts";
import type { BySide } from "./servers.ts";
import { type Costed, cpuMicroseconds, entries, sideNames } from "./side-results.ts";

/** One row per load and side; the results are those of the rounds, the figures their medians. */
export function showRequests(
  context: BenchContext,
  title: string,
  results: Readonly<Record<string, BySide<Costed[]>>>,
): void {
  context.table({
    title,
    columns: [
      "what",
      "server",
      "requests/s",
      "p50 ms",
      "p99 ms",
      "max ms",
      "server CPU us",
      "driver CPU us",
      "errors",
    ],
    rows: Object.entries(results).flatMap(([what, bySide]) =>
      entries(bySide).map(([side, measured]) => {
        const of = (pick: (each: Costed) => number): number => median(measured.map(pick));
        return [
          what,
          sideNames[side],
          of((each) => each.perSecond),
          of((each) => each.p50us / 1000),
          of((each) => each.p99us / 1000),
          of((each) => each.maxus / 1000),
          of(cpuMicroseconds),
          of((each) => (each.driverCpuSeconds / each.requests) * 1e6),
          of((each) => each.errors),
        ];
      }),
    ),
  });
}
