import {
  AsyncChannel,
  ChannelClosedError,
  type ChannelWaitOptions,
  checkCapacity,
} from "./async-channel.ts";

/**
 * A subscriber did not keep up and was cut off. It has received everything up to `last` and nothing
 * after it, so it can resume from there where the source allows it.
 */
export class SubscriberOverflowError<T = unknown> extends Error {
  readonly code = "SUBSCRIBER_OVERFLOW";
  override readonly name = "SubscriberOverflowError";
  /** Items published since it was cut off, counted when it learnt of it; at least 1. */
  readonly missed: number;
  /** The last item it was given. */
  readonly last: T;

  constructor({ capacity, missed, last }: { capacity: number; missed: number; last: T }) {
    super(
      `expected the subscriber to keep at most ${capacity} items waiting, got more: cut off, ${missed} missed`,
    );
    this.missed = missed;
    this.last = last;
  }
}

export interface BroadcasterOptions {
  /** Items a subscriber may leave waiting before it is cut off. Default: 1,000. */
  readonly capacity?: number;
}

export interface SubscribeOptions {
  /** This subscriber's own capacity. Default: the broadcaster's. */
  readonly capacity?: number | undefined;
}

/** One subscriber's view: everything published since it subscribed, in order, without a gap. */
export interface Subscription<T> extends AsyncIterable<T>, Disposable {
  /** Items waiting to be received. */
  readonly size: number;

  /** As {@link AsyncChannel.receive}. */
  receive(options?: ChannelWaitOptions): Promise<IteratorResult<T, undefined>>;

  /** As {@link AsyncChannel.tryReceive}. */
  tryReceive(): { readonly value: T } | undefined;

  /** The items until the end; leaving the loop, by error too, ends the subscription. */
  values(options?: ChannelWaitOptions): AsyncIterableIterator<T, undefined, undefined>;

  /** Ends the subscription and forgets what is waiting. */
  [Symbol.dispose](): void;
}

/**
 * One source, many subscribers. Publishing never waits: each subscriber has its own bounded buffer,
 * and one that lets it run over is cut off with a {@link SubscriberOverflowError} after what it
 * has. No subscriber can slow the source or another subscriber, and none ever sees a gap.
 */
export class Broadcaster<T> implements Disposable {
  readonly #capacity: number;
  readonly #subscriptions = new Set<BufferedSubscription<T>>();
  /** How the broadcaster ended, done to every subscription, also to those that come later. */
  #end: ((channel: AsyncChannel<T>) => void) | undefined;
  #published = 0;

  constructor({ capacity = 1000 }: BroadcasterOptions = {}) {
    checkCapacity(capacity);
    this.#capacity = capacity;
  }

  /** How many subscribers there are; those cut off are not counted. */
  get subscribers(): number {
    return this.#subscriptions.size;
  }

  /** Throws a {@link ChannelClosedError} after the end. */
  publish(item: T): void {
    if (this.#end !== undefined) throw new ChannelClosedError();
    this.#published += 1;
    for (const subscription of this.#subscriptions) subscription.offer(item);
  }

  subscribe({ capacity = this.#capacity }: SubscribeOptions = {}): Subscription<T> {
    const subscription = new BufferedSubscription<T>({
      channel: new AsyncChannel({ capacity }),
      published: () => this.#published,
      leave: () => this.#subscriptions.delete(subscription),
    });
    if (this.#end === undefined) this.#subscriptions.add(subscription);
    else subscription.end(this.#end);
    return subscription;
  }

  /** Ends every subscription after what it has. No effect after the first `close` or `fail`. */
  close(): void {
    this.#endAll((channel) => channel.close());
  }

  /** As {@link close}, with an error. */
  fail(error: unknown): void {
    this.#endAll((channel) => channel.fail(error));
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #endAll(end: (channel: AsyncChannel<T>) => void): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    for (const subscription of this.#subscriptions) subscription.end(end);
    this.#subscriptions.clear();
  }
}

interface SubscriptionParts<T> {
  readonly channel: AsyncChannel<T>;
  /** How many items the broadcaster has published so far. */
  readonly published: () => number;
  readonly leave: () => void;
}

class BufferedSubscription<T> implements Subscription<T> {
  readonly #channel: AsyncChannel<T>;
  readonly #published: () => number;
  readonly #leave: () => void;
  #last: T | undefined;

  constructor({ channel, published, leave }: SubscriptionParts<T>) {
    this.#channel = channel;
    this.#published = published;
    this.#leave = leave;
  }

  offer(item: T): void {
    if (this.#channel.trySend(item)) {
      this.#last = item;
      return;
    }
    this.#leave();
    const taken = this.#published() - 1;
    this.#channel.failWith(
      () =>
        new SubscriberOverflowError<T>({
          capacity: this.#channel.capacity,
          missed: this.#published() - taken,
          // Capacity is at least 1, so something was taken before the buffer ran over.
          last: this.#last as T,
        }),
    );
  }

  end(end: (channel: AsyncChannel<T>) => void): void {
    end(this.#channel);
  }

  get size(): number {
    return this.#channel.size;
  }

  receive(options?: ChannelWaitOptions): Promise<IteratorResult<T, undefined>> {
    return this.#channel.receive(options);
  }

  tryReceive(): { readonly value: T } | undefined {
    return this.#channel.tryReceive();
  }

  values(options?: ChannelWaitOptions): AsyncIterableIterator<T, undefined, undefined> {
    return {
      next: async () => {
        try {
          return await this.#channel.receive(options);
        } catch (error) {
          this[Symbol.dispose]();
          throw error;
        }
      },
      return: () => {
        this[Symbol.dispose]();
        return Promise.resolve({ done: true, value: undefined });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined, undefined> {
    return this.values();
  }

  [Symbol.dispose](): void {
    this.#leave();
    this.#channel.close();
    while (this.#channel.tryReceive() !== undefined);
    this.#last = undefined;
  }
}
