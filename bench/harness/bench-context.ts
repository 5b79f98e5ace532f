// The harness: what every benchmark needs and none should write again. A benchmark is a file
// bench/NAME/NAME.bench.ts that exports `run(context: BenchContext): Promise<void>`; `npm run bench
// -- NAME` runs it. Results are tables (table.ts); figures of two sides come from rounds in turn
// (alternate.ts) and are given with an interval (statistics.ts); a peer runs as a process of its own
// (peer-process.ts, etcd-peer.ts) whose CPU and memory are read from outside (process-usage.ts).
import type { Table } from "./table.ts";

export interface BenchContext {
  /** Asked for a short run: fewer rounds and smaller loads, same tables. */
  readonly quick: boolean;
  /** Aborted on Ctrl-C. Give it to what waits; the process ends soon after anyway. */
  readonly signal: AbortSignal;
  /** Shows a result, and keeps it for `--json`. */
  table(table: Table): void;
  /** A sentence between the tables: what limits a figure, what was left out and why. */
  note(text: string): void;
  /** What is going on now; on standard error, never part of the results. */
  progress(text: string): void;
}

/** What a benchmark's file exports. */
export interface BenchModule {
  run(context: BenchContext): Promise<void>;
}
