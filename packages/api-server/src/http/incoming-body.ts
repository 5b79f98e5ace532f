import { MAX_BODY_BYTES, tooLarge } from "../verbs/request-body.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Exchange } from "./exchange.ts";

/** A client that did not send its body in time. */
export class BodyTimeoutError extends Error {
  override readonly name = "BodyTimeoutError";
  readonly code = "body-timeout";

  constructor() {
    super("the body of the request did not arrive in time");
  }
}

export interface BodyOptions {
  readonly bodyBudget: BodyBudget;
  readonly deadlines: Deadlines;
  readonly limits: ConnectionLimits;
}

/** A body on its way in, counted until its request has been answered. */
export class IncomingBody implements Disposable {
  readonly #exchange: Exchange;
  readonly #options: BodyOptions;
  #taken = 0;

  constructor(exchange: Exchange, options: BodyOptions) {
    this.#exchange = exchange;
    this.#options = options;
  }

  /** The whole body; more than a limit is refused as soon as it is seen. */
  read(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let refused = false;
      let isWhole = false;
      const { input } = this.#exchange;
      const { deadlines, limits } = this.#options;
      const deadline = deadlines.set(limits.body, () => {
        refused = true;
        chunks.length = 0;
        reject(new BodyTimeoutError());
      });
      input.on("data", (chunk: Buffer) => {
        if (refused) return;
        try {
          this.#take(chunk.length);
          chunks.push(chunk);
        } catch (error) {
          refused = true;
          chunks.length = 0;
          deadline.release();
          reject(error);
        }
      });
      input.on("end", () => {
        isWhole = true;
        deadline.release();
        resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.#taken));
      });
      input.on("error", reject);
      this.#exchange.onClose(() => {
        // Every exchange closes, and an error costs its stack.
        if (isWhole) return;
        deadline.release();
        reject(new Error("the client went away"));
      });
    });
  }

  #take(bytes: number): void {
    if (this.#taken + bytes > MAX_BODY_BYTES) throw tooLarge();
    this.#options.bodyBudget.take(bytes);
    this.#taken += bytes;
  }

  [Symbol.dispose](): void {
    this.#options.bodyBudget.release(this.#taken);
    this.#taken = 0;
  }
}
