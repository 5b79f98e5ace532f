import { ApiError } from "@homeostat/object-model";

/**
 * How many bytes of request bodies may be on their way in at once, over all connections. Each body has
 * a limit of its own; this is what keeps many of them from filling memory together.
 */
export class BodyBudget {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number = 128 * 1024 * 1024) {
    this.#limit = limit;
  }

  /** Bytes that have arrived. Throws 429 when there are too many; then they are not counted. */
  take(bytes: number): void {
    if (this.#held + bytes > this.#limit) {
      throw ApiError.tooManyRequests("Too many large requests at once, please try again later.", 1);
    }
    this.#held += bytes;
  }

  /** A request is done with what it took. */
  release(bytes: number): void {
    this.#held -= bytes;
  }

  get held(): number {
    return this.#held;
  }
}
