import type { DoorAnswer } from "@homeostat/object-model";

/** How long a credential is good. One that cannot be taken back has no life to follow. */
export interface CredentialLife {
  /** Calls back once when it is over; what is returned stops listening. */
  onEnd(listener: () => void): () => void;
}

/** The answer; what is open-ended in it ends with the credential. */
export function withLife(life: CredentialLife, answer: DoorAnswer): DoorAnswer {
  if (answer.kind === "watch") return { ...answer, frames: endWith(life, answer.frames) };
  if (answer.kind !== "byte-stream" || !answer.openEnded) return answer;
  return { ...answer, chunks: endWith(life, answer.chunks) };
}

/** A stream that ends, as if it were over, when the credential it was opened with is. */
function endWith<Item>(life: CredentialLife, items: AsyncIterable<Item>): AsyncIterable<Item> {
  return { [Symbol.asyncIterator]: () => new LivingIterator(life, items[Symbol.asyncIterator]()) };
}

class LivingIterator<Item> implements AsyncIterator<Item, undefined> {
  readonly #source: AsyncIterator<Item>;
  readonly #stop: () => void;
  #over = false;
  /** Ends the read that waits, whether or not the source can. */
  #endPending: (() => void) | undefined;

  constructor(life: CredentialLife, source: AsyncIterator<Item>) {
    this.#source = source;
    this.#stop = life.onEnd(() => this.#end());
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    if (this.#over) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#endPending = () => resolve({ done: true, value: undefined });
      this.#source.next().then(
        ({ done, value }) => {
          if (done !== true) return resolve({ done: false, value });
          this.#end();
          return resolve({ done: true, value: undefined });
        },
        (error: unknown) => {
          this.#end();
          reject(error);
        },
      );
    });
  }

  return(): Promise<IteratorResult<Item, undefined>> {
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#stop();
    // What it still had to say is not for this client.
    void this.#source.return?.().catch(() => undefined);
    this.#endPending?.();
  }
}
