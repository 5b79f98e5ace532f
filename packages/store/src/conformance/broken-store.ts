import type {
  DeleteOptions,
  KeyValue,
  ListOptions,
  ListPage,
  Operation,
  ReadOptions,
  Store,
  StoreEvent,
  StoreStatistics,
  TransactionResult,
  UpdateOptions,
  Watch,
  WatchBatch,
  WatchOptions,
  WriteOptions,
  WriteResult,
} from "../store.ts";

/**
 * Stores with one planted bug each, to prove that the checkers see it. A bug strikes where it can;
 * `strikes` counts how often it did, so that a run in which it never could proves nothing.
 */
export abstract class BrokenStore implements Store {
  protected readonly inner: Store;
  strikes = 0;

  constructor(inner: Store) {
    this.inner = inner;
  }

  get revision(): number {
    return this.inner.revision;
  }

  get compactRevision(): number {
    return this.inner.compactRevision;
  }

  get(key: string, options?: ReadOptions): KeyValue | undefined {
    return this.inner.get(key, options);
  }

  list(options: ListOptions): ListPage {
    return this.inner.list(options);
  }

  create(key: string, value: Uint8Array, options?: WriteOptions): Promise<WriteResult> {
    return this.inner.create(key, value, options);
  }

  update(key: string, value: Uint8Array, options?: UpdateOptions): Promise<WriteResult> {
    return this.inner.update(key, value, options);
  }

  delete(key: string, options?: DeleteOptions): Promise<WriteResult> {
    return this.inner.delete(key, options);
  }

  transaction(operations: readonly Operation[]): Promise<TransactionResult> {
    return this.inner.transaction(operations);
  }

  watch(options: WatchOptions): Watch {
    return this.inner.watch(options);
  }

  observe(prefix: string, listener: (event: StoreEvent) => void): () => void {
    return this.inner.observe(prefix, listener);
  }

  compact(revision: number): Promise<void> {
    return this.inner.compact(revision);
  }

  statistics(): StoreStatistics {
    return this.inner.statistics();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Changes what watchers hear: each batch becomes the ones that `spoil` makes of it. */
abstract class BrokenWatch extends BrokenStore {
  /** The batches to deliver instead, or undefined to leave it. */
  protected abstract spoil(batch: WatchBatch): WatchBatch[] | undefined;

  override watch(options: WatchOptions): Watch {
    const watch = this.inner.watch(options);
    const queue: WatchBatch[] = [];
    const next = async (): Promise<IteratorResult<WatchBatch, undefined>> => {
      const queued = queue.shift();
      if (queued !== undefined) return { value: queued, done: false };
      const result = await watch.next();
      if (result.done === true) return result;
      const spoiled = this.spoil(result.value);
      if (spoiled === undefined) return result;
      this.strikes += 1;
      const [first, ...others] = spoiled;
      queue.push(...others);
      return { value: first!, done: false };
    };
    return {
      next,
      return: () => watch.return!(),
      requestProgress: () => watch.requestProgress(),
      close: () => watch.close(),
      [Symbol.asyncIterator]() {
        return this;
      },
      [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
    };
  }
}

export class DropsAnEvent extends BrokenWatch {
  protected override spoil({ events, revision }: WatchBatch): WatchBatch[] | undefined {
    if (events.length === 0) return undefined;
    return [{ events: events.slice(1), revision }];
  }
}

export class RepeatsABatch extends BrokenWatch {
  protected override spoil(batch: WatchBatch): WatchBatch[] | undefined {
    return batch.events.length === 0 ? undefined : [batch, batch];
  }
}

export class RepeatsAnEvent extends BrokenWatch {
  protected override spoil({ events, revision }: WatchBatch): WatchBatch[] | undefined {
    return events.length === 0 ? undefined : [{ events: [events[0]!, ...events], revision }];
  }
}

export class SwapsEvents extends BrokenWatch {
  protected override spoil({ events, revision }: WatchBatch): WatchBatch[] | undefined {
    return events.length < 2 ? undefined : [{ events: events.toReversed(), revision }];
  }
}

export class SplitsATransaction extends BrokenWatch {
  protected override spoil({ events, revision }: WatchBatch): WatchBatch[] | undefined {
    const at = events.findIndex((event, index) => event.revision === events[index + 1]?.revision);
    if (at < 0) return undefined;
    const first = events.slice(0, at + 1);
    return [
      { events: first, revision: first.at(-1)!.revision },
      { events: events.slice(at + 1), revision },
    ];
  }
}

export class ForgetsPrevious extends BrokenWatch {
  protected override spoil({ events, revision }: WatchBatch): WatchBatch[] | undefined {
    if (!events.some(({ previous }) => previous !== undefined)) return undefined;
    return [{ events: events.map((event) => ({ ...event, previous: undefined })), revision }];
  }
}

export class MistakesTheType extends BrokenWatch {
  protected override spoil({ events, revision }: WatchBatch): WatchBatch[] | undefined {
    if (!events.some(({ type }) => type === "modified")) return undefined;
    const mistaken = (event: StoreEvent): StoreEvent =>
      event.type === "modified" ? { ...event, type: "added" } : event;
    return [{ events: events.map(mistaken), revision }];
  }
}

export class ShowsTheOldValue extends BrokenWatch {
  protected override spoil({ events, revision }: WatchBatch): WatchBatch[] | undefined {
    if (!events.some(({ type }) => type === "modified")) return undefined;
    const mistaken = (event: StoreEvent): StoreEvent =>
      event.type === "modified" ? { ...event, current: event.previous } : event;
    return [{ events: events.map(mistaken), revision }];
  }
}

/** A batch says that it is complete up to a revision whose events come later. */
export class BookmarksTooEarly extends BrokenWatch {
  protected override spoil({ events, revision }: WatchBatch): WatchBatch[] | undefined {
    const at = events.findIndex((event) => event.revision !== events[0]!.revision);
    if (at < 0) return undefined;
    return [
      { events: events.slice(0, at), revision },
      { events: events.slice(at), revision },
    ];
  }
}

export class PromisesTheFuture extends BrokenWatch {
  protected override spoil({ events, revision }: WatchBatch): WatchBatch[] | undefined {
    return events.length > 0 ? undefined : [{ events, revision: revision + 1 }];
  }
}

/** Resumes one revision too late, where every revision has an event. */
export class SkipsOnResuming extends BrokenStore {
  override watch(options: WatchOptions): Watch {
    const { after, prefix } = options;
    const canBe = after !== undefined && after >= this.compactRevision && after < this.revision;
    if (!canBe || prefix !== "") return this.inner.watch(options);
    this.strikes += 1;
    return this.inner.watch({ ...options, after: after + 1 });
  }
}

/** Resumes one revision too early, where every revision has an event. */
export class RepeatsOnResuming extends BrokenStore {
  override watch(options: WatchOptions): Watch {
    const { after, prefix } = options;
    if (after === undefined || after <= this.compactRevision || prefix !== "") {
      return this.inner.watch(options);
    }
    this.strikes += 1;
    return this.inner.watch({ ...options, after: after - 1 });
  }
}

export class LosesAnAcknowledgedWrite extends BrokenStore {
  override async create(
    key: string,
    value: Uint8Array,
    options?: WriteOptions,
  ): Promise<WriteResult> {
    if (this.inner.get(key) !== undefined || options?.timeToLive !== undefined) {
      return this.inner.create(key, value, options);
    }
    this.strikes += 1;
    const revision = this.revision + 1;
    const state = { key, value: Uint8Array.from(value), version: 1, expiresAt: undefined };
    const current = { ...state, revision, createRevision: revision };
    return { outcome: "created", revision, current };
  }
}

/** Answers while the write is still on its way. */
export class AnswersTooEarly extends BrokenStore {
  override async delete(key: string, options?: DeleteOptions): Promise<WriteResult> {
    const previous = this.inner.get(key);
    const { expectedRevision } = options ?? {};
    const isStale = expectedRevision !== undefined && expectedRevision !== previous?.revision;
    if (previous === undefined || isStale) return this.inner.delete(key, options);
    this.strikes += 1;
    const revision = this.revision + 1;
    this.inner.delete(key, options).catch(() => undefined);
    return { outcome: "deleted", revision, previous };
  }
}

export class LetsStaleWritesThrough extends BrokenStore {
  override update(key: string, value: Uint8Array, options?: UpdateOptions): Promise<WriteResult> {
    const current = this.inner.get(key);
    const { expectedRevision, ...others } = options ?? {};
    if (current === undefined || expectedRevision === undefined) {
      return this.inner.update(key, value, options);
    }
    if (current.revision !== expectedRevision) this.strikes += 1;
    return this.inner.update(key, value, others);
  }
}

export class RefusesWithoutReason extends BrokenStore {
  override async update(
    key: string,
    value: Uint8Array,
    options?: UpdateOptions,
  ): Promise<WriteResult> {
    const current = this.inner.get(key);
    if (current === undefined || options?.expectedRevision !== current.revision) {
      return this.inner.update(key, value, options);
    }
    this.strikes += 1;
    return { outcome: "refused", reason: "stale", key, current };
  }
}

export class AppliesHalfATransaction extends BrokenStore {
  override async transaction(operations: readonly Operation[]): Promise<TransactionResult> {
    const result = await this.inner.transaction(operations.slice(0, -1));
    const last = operations.at(-1);
    if (result.outcome !== "committed" || last?.type !== "create") return result;
    this.strikes += 1;
    const { revision } = result;
    const state = { key: last.key, version: 1, expiresAt: undefined };
    const current = { ...state, value: last.value, revision, createRevision: revision };
    return { ...result, results: [...result.results, { outcome: "created", revision, current }] };
  }
}

export class ReadsTheFormerState extends BrokenStore {
  override get(key: string, options?: ReadOptions): KeyValue | undefined {
    const current = this.inner.get(key, options);
    const canBe = current !== undefined && current.revision - 1 >= this.compactRevision;
    if (options?.revision !== undefined || !canBe) return current;
    this.strikes += 1;
    return this.inner.get(key, { revision: current.revision - 1 });
  }
}

export class ListsTooLittle extends BrokenStore {
  override list(options: ListOptions): ListPage {
    const page = this.inner.list(options);
    if (page.items.length === 0) return page;
    this.strikes += 1;
    return { ...page, items: page.items.slice(1) };
  }
}

export class CompactsNothing extends BrokenStore {
  override compact(revision: number): Promise<void> {
    if (revision <= this.compactRevision || revision > this.revision) {
      return this.inner.compact(revision);
    }
    this.strikes += 1;
    return Promise.resolve();
  }
}
