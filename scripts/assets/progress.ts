// Shows that something long is going on: on a terminal one line that is rewritten each second,
// elsewhere a plain line at the beginning, now and then, and at the end.

/** What Progress needs of process.stdout. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const terminalInterval = 1000;
const plainInterval = 15_000;
const clearLine = "\r\u001B[2K";

export class Progress {
  readonly #stream: ProgressStream;
  readonly #label: string;
  readonly #begin = performance.now();
  readonly #timer: ReturnType<typeof setInterval>;
  #detail = "";

  constructor(label: string, stream: ProgressStream) {
    this.#label = label;
    this.#stream = stream;
    this.#timer = setInterval(() => this.#show(), stream.isTTY ? terminalInterval : plainInterval);
    if (stream.isTTY) this.#show();
    else stream.write(`${label} ...\n`);
  }

  /** What is going on right now; shown with the next line. */
  detail(text: string): void {
    this.#detail = text;
  }

  /** Ends it with a last line, which says how long it took. */
  end(result: string): void {
    clearInterval(this.#timer);
    const before = this.#stream.isTTY ? clearLine : "";
    this.#stream.write(`${before}${this.#label}: ${result} (${this.#seconds()} s)\n`);
  }

  #show(): void {
    const line = progressLine({
      label: this.#label,
      seconds: this.#seconds(),
      detail: this.#detail,
      columns: this.#stream.isTTY ? this.#stream.columns || 80 : Number.POSITIVE_INFINITY,
    });
    this.#stream.write(this.#stream.isTTY ? clearLine + line : `${line}\n`);
  }

  #seconds(): number {
    return Math.round((performance.now() - this.#begin) / 1000);
  }
}

export interface ProgressState {
  readonly label: string;
  readonly seconds: number;
  readonly detail: string;
  /** Longer lines are cut: a wrapped line could not be rewritten. */
  readonly columns: number;
}

export function progressLine(state: ProgressState): string {
  const detail = state.detail === "" ? "" : `, ${state.detail}`;
  const line = `${state.label} ... ${state.seconds} s${detail}`;
  return line.length < state.columns ? line : line.slice(0, Math.max(0, state.columns - 1));
}
