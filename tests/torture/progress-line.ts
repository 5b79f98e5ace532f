/** One line that is written over on a terminal, and now and then a new line elsewhere. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  #shownAt = Number.NEGATIVE_INFINITY;
  #isShown = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  show(text: string): void {
    const now = performance.now();
    if (now - this.#shownAt < (this.#stream.isTTY ? 100 : 10_000)) return;
    this.#shownAt = now;
    if (this.#stream.isTTY) {
      this.#isShown = true;
      this.#stream.write(`\r\x1b[K${text.slice(0, this.#stream.columns - 1)}`);
    } else this.#stream.write(`${text}\n`);
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#isShown) this.#stream.write("\r\x1b[K");
    this.#isShown = false;
    this.#shownAt = Number.NEGATIVE_INFINITY;
  }
}
