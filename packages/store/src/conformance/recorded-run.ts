/**
 * What the clients and watchers of a run saw, in their own words: copies of every answer, each with
 * the moment of the call and of the answer. The checkers judge a run by this record alone.
 */
import type {
  KeyValue,
  ListOptions,
  Operation,
  Refused,
  Store,
  StoreEvent,
  TransactionResult,
  WatchBatch,
  WriteResult,
} from "../store.ts";
import { CommitFailedError, StoreError, WatchOverflowError } from "../store-error.ts";

/** A copy of one state. */
export interface Snapshot {
  readonly key: string;
  readonly text: string;
  readonly revision: number;
  readonly createRevision: number;
  readonly version: number;
  readonly expiresAt: number | undefined;
}

/** What the store told of itself at one moment; ticks count the moments of a run. */
export interface Moment {
  readonly tick: number;
  readonly now: number;
  readonly revision: number;
  readonly compactRevision: number;
}

export interface OperationOutcome {
  readonly outcome: string;
  readonly revision: number | undefined;
  readonly state: Snapshot | undefined;
}

export type WriteAnswer =
  | {
      readonly type: "results";
      readonly revision: number;
      readonly results: readonly OperationOutcome[];
    }
  | {
      readonly type: "refused";
      readonly reason: Refused["reason"];
      readonly key: string;
      readonly current: Snapshot | undefined;
    }
  /** The store said that nothing of it was written. */
  | { readonly type: "failed" }
  /** Anything else, which no promise allows. */
  | { readonly type: "broken"; readonly error: string };

/** A single write, `alone`, or a transaction. */
export interface RecordedWrite {
  readonly operations: readonly Operation[];
  readonly alone: boolean;
  readonly called: Moment;
  answered: Moment | undefined;
  answer: WriteAnswer | undefined;
}

export interface RecordedRead {
  readonly at: Moment;
  readonly read: { readonly key: string; readonly revision?: number | undefined } | ListOptions;
  /** States in order; an error is its code. */
  readonly seen: readonly Snapshot[] | string;
  readonly page?: { revision: number; next: string | undefined; remaining: number };
}

export interface RecordedCompaction {
  readonly revision: number;
  readonly called: Moment;
  answered: Moment | undefined;
  outcome: string | undefined;
}

export interface RecordedEvent {
  readonly type: StoreEvent["type"];
  readonly key: string;
  readonly revision: number;
  readonly current: Snapshot | undefined;
  readonly previous: Snapshot | undefined;
}

export interface RecordedWatch {
  readonly prefix: string;
  readonly bufferSize: number;
  /** Asked for: a revision in the past, or from now on. */
  readonly after: number | undefined;
  readonly opened: Moment;
  readonly batches: { readonly at: Moment; revision: number; events: RecordedEvent[] }[];
  ending:
    | { readonly at: Moment; readonly code: string; readonly lastRevision?: number }
    | undefined;
}

/** Everything one run showed. */
export interface RecordedRun {
  readonly writes: readonly RecordedWrite[];
  readonly reads: readonly RecordedRead[];
  readonly compactions: readonly RecordedCompaction[];
  readonly watches: readonly RecordedWatch[];
  readonly end: Moment;
}

/** Calls a store and writes down what it answers. */
export class Recorder {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #writes: RecordedWrite[] = [];
  readonly #reads: RecordedRead[] = [];
  readonly #compactions: RecordedCompaction[] = [];
  readonly #watches: RecordedWatch[] = [];
  #tick: number;

  /** `firstTick`: where an earlier record of the same store ended. */
  constructor(store: Store, options: { now: () => number; firstTick?: number }) {
    this.#store = store;
    this.#now = options.now;
    this.#tick = options.firstTick ?? 0;
  }

  get run(): RecordedRun {
    return {
      writes: this.#writes,
      reads: this.#reads,
      compactions: this.#compactions,
      watches: this.#watches,
      end: this.moment(),
    };
  }

  moment(): Moment {
    const { revision, compactRevision } = this.#store;
    this.#tick += 1;
    return { tick: this.#tick, now: this.#now(), revision, compactRevision };
  }

  /** One operation alone, or several as a transaction. Never rejects. */
  async write(operations: readonly Operation[], options = { alone: false }): Promise<WriteAnswer> {
    const call: RecordedWrite = {
      operations: operations.map((each) =>
        "value" in each ? { ...each, value: Uint8Array.from(each.value) } : each,
      ),
      alone: options.alone,
      called: this.moment(),
      answered: undefined,
      answer: undefined,
    };
    this.#writes.push(call);
    const asked = options.alone
      ? this.#single(operations[0]!).then(answerOf)
      : this.#store.transaction(operations).then(transactionAnswerOf);
    call.answer = await asked.catch(failureOf);
    call.answered = this.moment();
    return call.answer;
  }

  get(key: string, revision?: number): Snapshot | undefined {
    const at = this.moment();
    const seen = this.#attempt(() => {
      const state = this.#store.get(key, { revision });
      return state === undefined ? [] : [snapshotOf(state)];
    });
    this.#reads.push({ at, read: { key, revision }, seen });
    return typeof seen === "string" ? undefined : seen[0];
  }

  /** The revision of the page; undefined when it was refused. */
  list(options: ListOptions): number | undefined {
    const at = this.moment();
    let page: RecordedRead["page"];
    const seen = this.#attempt(() => {
      const { items, revision, next, remaining } = this.#store.list(options);
      page = { revision, next, remaining };
      return items.map(snapshotOf);
    });
    this.#reads.push({ at, read: options, seen, ...(page === undefined ? {} : { page }) });
    return page?.revision;
  }

  async compact(revision: number): Promise<void> {
    const call: RecordedCompaction = {
      revision,
      called: this.moment(),
      answered: undefined,
      outcome: undefined,
    };
    this.#compactions.push(call);
    call.outcome = await this.#store.compact(revision).then(() => "done", codeOf);
    call.answered = this.moment();
  }

  watch(options: Pick<RecordedWatch, "prefix" | "bufferSize" | "after">): RecordedWatch {
    const opened = this.moment();
    const { prefix, bufferSize, after } = options;
    const watch: RecordedWatch = {
      prefix,
      bufferSize,
      after,
      opened,
      batches: [],
      ending: undefined,
    };
    this.#watches.push(watch);
    return watch;
  }

  hear(watch: RecordedWatch, batch: WatchBatch): void {
    const events = batch.events.map(({ type, key, revision, current, previous }) => ({
      type,
      key,
      revision,
      current: current && snapshotOf(current),
      previous: previous && snapshotOf(previous),
    }));
    watch.batches.push({ at: this.moment(), revision: batch.revision, events });
  }

  end(watch: RecordedWatch, error: unknown): void {
    const lastRevision = error instanceof WatchOverflowError ? error.lastRevision : undefined;
    watch.ending = {
      at: this.moment(),
      code: error === undefined ? "closed" : codeOf(error),
      ...(lastRevision === undefined ? {} : { lastRevision }),
    };
  }

  #single(operation: Operation): Promise<WriteResult> {
    const { key } = operation;
    switch (operation.type) {
      case "create":
        return this.#store.create(key, operation.value, { timeToLive: operation.timeToLive });
      case "update":
        return this.#store.update(key, operation.value, {
          timeToLive: operation.timeToLive,
          expectedRevision: operation.expectedRevision,
        });
      case "delete":
        return this.#store.delete(key, { expectedRevision: operation.expectedRevision });
      case "check":
        throw new TypeError("a check is no write of its own");
    }
  }

  #attempt(read: () => Snapshot[]): Snapshot[] | string {
    try {
      return read();
    } catch (error) {
      return codeOf(error);
    }
  }
}

function snapshotOf(state: KeyValue): Snapshot {
  const { key, revision, createRevision, version, expiresAt } = state;
  let text: string;
  try {
    text = Buffer.from(state.value).toString("latin1");
  } catch (error) {
    text = `unreadable: ${codeOf(error)}`;
  }
  return { key, text, revision, createRevision, version, expiresAt };
}

function codeOf(error: unknown): string {
  return error instanceof StoreError ? error.code : `no StoreError: ${String(error)}`;
}

function failureOf(error: unknown): WriteAnswer {
  if (error instanceof CommitFailedError) return { type: "failed" };
  return { type: "broken", error: codeOf(error) };
}

function outcomeOf(
  result: Extract<TransactionResult, { results: unknown }>["results"][number],
): OperationOutcome {
  const state = result.outcome === "deleted" ? result.previous : result.current;
  return {
    outcome: result.outcome,
    revision: result.outcome === "checked" ? undefined : result.revision,
    state: state && snapshotOf(state),
  };
}

function refusalOf(result: Refused): WriteAnswer {
  const { reason, key, current } = result;
  return { type: "refused", reason, key, current: current && snapshotOf(current) };
}

function answerOf(result: WriteResult): WriteAnswer {
  if (result.outcome === "refused") return refusalOf(result);
  return { type: "results", results: [outcomeOf(result)], revision: result.revision };
}

function transactionAnswerOf(result: TransactionResult): WriteAnswer {
  if (result.outcome === "refused") return refusalOf(result);
  return { type: "results", results: result.results.map(outcomeOf), revision: result.revision };
}
