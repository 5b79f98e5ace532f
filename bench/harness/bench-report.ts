// The results of one benchmark: shown as they come, kept for `--json`.
import type { BenchContext } from "./bench-context.ts";
import { markdownTable, type Table } from "./table.ts";

export interface BenchReportOptions {
  readonly quick: boolean;
  readonly signal: AbortSignal;
  /** Takes the markdown. */
  readonly write: (text: string) => void;
  /** Takes a line about what is going on. */
  readonly writeProgress: (text: string) => void;
}

export class BenchReport implements BenchContext {
  readonly tables: Table[] = [];
  readonly notes: string[] = [];
  readonly quick: boolean;
  readonly signal: AbortSignal;
  readonly #options: BenchReportOptions;

  constructor(options: BenchReportOptions) {
    this.#options = options;
    this.quick = options.quick;
    this.signal = options.signal;
  }

  table(table: Table): void {
    this.tables.push(table);
    this.#options.write(`${markdownTable(table)}\n`);
  }

  note(text: string): void {
    this.notes.push(text);
    this.#options.write(`${text}\n\n`);
  }

  progress(text: string): void {
    this.#options.writeProgress(`${text}\n`);
  }
}
