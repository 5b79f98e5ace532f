import { LARGE_BODY_BYTES } from "../verbs/request-body.ts";

/** Bodies that would hold up everybody are worked on one at a time. */
export class LargeBodies {
  readonly #threshold: number;
  #last: Promise<void> = Promise.resolve();

  constructor(threshold: number = LARGE_BODY_BYTES) {
    this.#threshold = threshold;
  }

  isLarge(bytes: Uint8Array): boolean {
    return bytes.length > this.#threshold;
  }

  /** Resolves when it is this body's turn; disposing of the result ends the turn. */
  async enter(signal: AbortSignal): Promise<AsyncDisposable> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = before.then(() => promise);
    await before;
    if (signal.aborted) resolve();
    signal.throwIfAborted();
    return {
      [Symbol.asyncDispose]: () => {
        resolve();
        return Promise.resolve();
      },
    };
  }
}
