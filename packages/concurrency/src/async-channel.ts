import { throwIfAborted } from "./abort.ts";
import { Fifo } from "./fifo.ts";
import { InvalidOptionError } from "./invalid-option-error.ts";
import { WaitList } from "./wait-list.ts";

/** Sent to a channel that takes nothing any more; the cause is what it failed with, if it did. */
export class ChannelClosedError extends Error {
  readonly code = "CHANNEL_CLOSED";
  override readonly name = "ChannelClosedError";

  constructor(options?: ErrorOptions) {
    super("expected an open channel, got one that is closed: the item was not taken", options);
  }
}

export interface AsyncChannelOptions {
  /** How many items may wait between sender and receiver; a whole number of at least 1. */
  readonly capacity: number;
}

export interface ChannelWaitOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * A bounded queue between tasks: senders wait while it is full, receivers while it is empty, both
 * first come first served. Every item whose send succeeded is received once, in the order of the
 * sends; an aborted or refused send or receive has moved nothing.
 *
 * Closing and failing end the sending at once and the receiving when the buffer is empty. Leaving a
 * `for await` loop does not close the channel: other receivers may go on.
 */
export class AsyncChannel<T> implements AsyncIterable<T>, Disposable {
  readonly capacity: number;
  readonly #buffer = new Fifo<T>();
  /** Wait only while the buffer is empty, and then they get the items directly. */
  readonly #receivers = new WaitList<undefined, IteratorResult<T, undefined>>();
  /** Wait only while the buffer is full; each room that is made goes to the first of them. */
  readonly #senders = new WaitList<T, void>();
  #ending: Ending | undefined;

  constructor({ capacity }: AsyncChannelOptions) {
    checkCapacity(capacity);
    this.capacity = capacity;
  }

  /** Items waiting to be received. */
  get size(): number {
    return this.#buffer.size;
  }

  /** Whether sending has ended; items may still be waiting. */
  get isClosed(): boolean {
    return this.#ending !== undefined;
  }

  /** Resolves when the item has its place in the channel or with a receiver. */
  async send(item: T, { signal }: ChannelWaitOptions = {}): Promise<void> {
    throwIfAborted(signal);
    if (!this.trySend(item)) await this.#senders.wait(item, signal);
  }

  /** False when the channel is full. Throws when it is closed. */
  trySend(item: T): boolean {
    if (this.#ending !== undefined) throw this.#refusal();
    const receiver = this.#receivers.shift();
    if (receiver !== undefined) {
      receiver.give({ done: false, value: item });
    } else if (this.#buffer.size < this.capacity) {
      this.#buffer.push(item);
    } else {
      return false;
    }
    return true;
  }

  /** The next item; `done` once the channel is closed and empty. Rejects once it failed instead. */
  async receive({ signal }: ChannelWaitOptions = {}): Promise<IteratorResult<T, undefined>> {
    throwIfAborted(signal);
    const next = this.tryReceive();
    if (next !== undefined) return { done: false, value: next.value };
    if (this.#ending === undefined) return this.#receivers.wait(undefined, signal);
    if (this.#ending.hasFailed) throw this.#ending.error();
    return { done: true, value: undefined };
  }

  /** The next item if one is waiting. */
  tryReceive(): { readonly value: T } | undefined {
    if (this.#buffer.size === 0) return undefined;
    const value = this.#buffer.shift();
    const sender = this.#senders.shift();
    if (sender !== undefined) {
      this.#buffer.push(sender.brought);
      sender.give();
    }
    return { value };
  }

  /** The items as they come, until the end. */
  values(options: ChannelWaitOptions = {}): AsyncIterableIterator<T, undefined, undefined> {
    return {
      next: () => this.receive(options),
      return: () => Promise.resolve({ done: true, value: undefined }),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined, undefined> {
    return this.values();
  }

  /** No more items. No effect after the first `close` or `fail`. */
  close(): void {
    this.#end({ hasFailed: false });
  }

  /** No more items, because of `error`: receivers get it after the items before it. */
  fail(error: unknown): void {
    this.failWith(() => error);
  }

  /** As {@link fail}; the error is made when it is first needed, and then kept. */
  failWith(makeError: () => unknown): void {
    let made: { readonly error: unknown } | undefined;
    this.#end({ hasFailed: true, error: () => (made ??= { error: makeError() }).error });
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    for (let waiter = this.#receivers.shift(); waiter; waiter = this.#receivers.shift()) {
      if (ending.hasFailed) waiter.refuse(ending.error());
      else waiter.give({ done: true, value: undefined });
    }
    for (let waiter = this.#senders.shift(); waiter; waiter = this.#senders.shift()) {
      waiter.refuse(this.#refusal());
    }
  }

  #refusal(): ChannelClosedError {
    return new ChannelClosedError(
      this.#ending?.hasFailed === true ? { cause: this.#ending.error() } : undefined,
    );
  }
}

type Ending =
  | { readonly hasFailed: false }
  | { readonly hasFailed: true; readonly error: () => unknown };

/** Refuses what no channel or broadcaster can be bounded by. */
export function checkCapacity(capacity: number): void {
  if (Number.isSafeInteger(capacity) && capacity >= 1) return;
  throw new InvalidOptionError({
    option: "capacity",
    got: capacity,
    expected: "a whole number of at least 1",
  });
}
