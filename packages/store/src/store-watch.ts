import type { Watch, WatchBatch } from "./store.ts";
import { type StoreError, WatchOverflowError } from "./store-error.ts";

export interface StoreWatchOptions {
  readonly after: number;
  readonly bufferSize: number;
  readonly signal: AbortSignal | undefined;
  /** The next chunk of history after a revision; undefined when there is none and the watch is live. */
  readonly replay: (after: number) => WatchBatch | undefined;
  readonly onEnd: () => void;
}

interface Waiting {
  readonly resolve: (result: IteratorResult<WatchBatch, undefined>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One consumer's side of a watch.
 *
 * replaying  reads history chunk by chunk as the consumer asks              -> live, ended
 * live       the hub delivers: to the waiting consumer, else into the buffer -> ended
 * ended      by the consumer, by overflow, by compaction, by the store's end (end)
 */
export class StoreWatch implements Watch {
  readonly #options: StoreWatchOptions;
  #state: "replaying" | "live" | "ended" = "replaying";
  /** Delivered by the hub, not yet taken. */
  #buffer: WatchBatch[] = [];
  #buffered = 0;
  /** Set between the consumer's `next` and its answer; then the buffer is empty. */
  #waiting: Waiting | undefined;
  #wantsProgress = false;
  /** Everything up to here has been handed to the consumer. */
  #lastRevision: number;
  /** Tells the present revision, once live. */
  #present: { readonly revision: number } | undefined;
  #error: StoreError | undefined;
  readonly #onAbort = (): void => this.close();

  constructor(options: StoreWatchOptions) {
    this.#options = options;
    this.#lastRevision = options.after;
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get lastRevision(): number {
    return this.#lastRevision;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<WatchBatch, undefined>> {
    if (this.#waiting !== undefined) {
      return Promise.reject(new TypeError("next() was called while an earlier call waits"));
    }
    try {
      const batch = this.#take();
      if (batch !== undefined) return Promise.resolve({ value: batch, done: false });
    } catch (error) {
      this.end(error as StoreError);
    }
    if (this.#state === "ended") return this.#ending();
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<WatchBatch, undefined>> {
    this.close();
    return Promise.resolve({ value: undefined, done: true });
  }

  requestProgress(): void {
    this.#wantsProgress = true;
    this.#answer();
  }

  close(): void {
    this.#end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  /** From now on the hub delivers every commit; `present` tells the store's revision. */
  goLive(present: { readonly revision: number }): void {
    if (this.#state === "replaying") this.#state = "live";
    this.#present = present;
  }

  /** A commit that concerns this watch. Cuts the consumer that is too far behind. */
  deliver(batch: WatchBatch): void {
    if (this.#state !== "live") return;
    if (this.#buffered > 0 && this.#buffered + batch.events.length > this.#options.bufferSize) {
      // What lies between the last batch and the first undelivered event did not concern this watch.
      const seen = Math.max(this.#lastRevision, this.#buffer[0]!.events[0]!.revision - 1);
      this.end(new WatchOverflowError(seen, this.#options.bufferSize));
      return;
    }
    this.#buffer.push(batch);
    this.#buffered += batch.events.length;
    this.#answer();
  }

  /** Whether an undelivered event is not newer than `revision`. */
  isBehind(revision: number): boolean {
    const first = this.#buffer[0]?.events[0];
    return first !== undefined && first.revision <= revision;
  }

  /** Ends the watch: the consumer's current or next call of `next` throws `error`. */
  end(error: StoreError): void {
    if (this.#state === "ended") return;
    this.#error = error;
    this.#end();
  }

  #end(): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    this.#buffer = [];
    this.#buffered = 0;
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#options.onEnd();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.#ending().then(waiting.resolve, waiting.reject);
  }

  /** The error once, then done. */
  #ending(): Promise<IteratorResult<WatchBatch, undefined>> {
    const error = this.#error;
    this.#error = undefined;
    return error === undefined
      ? Promise.resolve({ value: undefined, done: true })
      : Promise.reject(error);
  }

  #answer(): void {
    if (this.#waiting === undefined) return;
    const batch = this.#take();
    if (batch === undefined) return;
    const { resolve } = this.#waiting;
    this.#waiting = undefined;
    resolve({ value: batch, done: false });
  }

  #take(): WatchBatch | undefined {
    let batch: WatchBatch | undefined;
    if (this.#state === "replaying") batch = this.#options.replay(this.#lastRevision);
    if (batch === undefined && this.#state === "live") batch = this.#takeLive();
    if (batch !== undefined) this.#lastRevision = batch.revision;
    return batch;
  }

  #takeLive(): WatchBatch | undefined {
    const first = this.#buffer.shift();
    if (first !== undefined) {
      this.#buffered -= first.events.length;
      return first;
    }
    if (!this.#wantsProgress) return undefined;
    this.#wantsProgress = false;
    return { events: [], revision: this.#present!.revision };
  }
}
