import type { Clock } from "@homeostat/concurrency";
import type { CommitBatch, CommitLog, Liveness } from "./commit-log.ts";
import type { CompactionPolicy } from "./compaction-policy.ts";
import { Expiry } from "./expiry.ts";
import { GroupCommit } from "./group-commit.ts";
import { HistoryKeeper } from "./history-keeper.ts";
import type { KeyVersion } from "./key-version.ts";
import type { Keyspace } from "./keyspace.ts";
import { decide, mustBeRevision, validateOperation, type Write } from "./operation.ts";
import type {
  Checked,
  Deleted,
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
  Unchanged,
  UpdateOptions,
  Watch,
  WatchOptions,
  WriteOptions,
  WriteResult,
  Written,
} from "./store.ts";
import { RevisionAheadError, StoreClosedError } from "./store-error.ts";
import { WatchHub } from "./watch-hub.ts";

export interface RevisionedStoreOptions {
  readonly clock: Clock;
  readonly keyspace: Keyspace;
  readonly log: CommitLog;
  readonly compaction: CompactionPolicy;
}

/** Bytes that every commit may move to give memory back, however little it wrote. */
const minHeapBudget = 64 * 1024;

/** The one implementation of the seam: committed state in memory, durability by a {@link CommitLog}. */
export class RevisionedStore implements Store {
  readonly #clock: Clock;
  readonly #keyspace: Keyspace;
  readonly #log: CommitLog;
  readonly #commits: GroupCommit;
  readonly #hub: WatchHub;
  readonly #expiry: Expiry;
  readonly #historyKeeper: HistoryKeeper;
  #closing: Promise<void> | undefined;

  constructor(options: RevisionedStoreOptions) {
    const { clock, keyspace, log } = options;
    this.#clock = clock;
    this.#keyspace = keyspace;
    this.#log = log;
    this.#hub = new WatchHub(keyspace);
    this.#commits = new GroupCommit({
      clock,
      log,
      revision: keyspace.revision,
      compactRevision: keyspace.compactRevision,
      onCommit: (batch) => this.#onCommit(batch),
      onRollback: (versions) => this.#onRollback(versions),
    });
    this.#historyKeeper = new HistoryKeeper({
      clock,
      keyspace,
      policy: options.compaction,
      compact: (revision) => void this.compact(revision).catch(() => undefined),
    });
    this.#expiry = new Expiry({
      clock,
      expire: (versions) => this.#expire(versions),
      isCurrent: (version) => keyspace.newest(version.key) === version,
    });
    for (const version of keyspace.expiring()) this.#expiry.add(version);
    this.#historyKeeper.committed();
  }

  get revision(): number {
    return this.#keyspace.revision;
  }

  get compactRevision(): number {
    return this.#keyspace.compactRevision;
  }

  get(key: string, options?: ReadOptions): KeyValue | undefined {
    this.#mustBeOpen();
    mustBeRevision(options?.revision);
    return this.#keyspace.get(key, options?.revision);
  }

  list(options: ListOptions): ListPage {
    this.#mustBeOpen();
    mustBeRevision(options.revision);
    return this.#keyspace.list(options);
  }

  create(key: string, value: Uint8Array, options?: WriteOptions): Promise<WriteResult> {
    return this.#write({ type: "create", key, value, timeToLive: options?.timeToLive });
  }

  update(key: string, value: Uint8Array, options?: UpdateOptions): Promise<WriteResult> {
    const { timeToLive, expectedRevision } = options ?? {};
    return this.#write({ type: "update", key, value, timeToLive, expectedRevision });
  }

  delete(key: string, options?: DeleteOptions): Promise<WriteResult> {
    return this.#write({ type: "delete", key, expectedRevision: options?.expectedRevision });
  }

  async transaction(operations: readonly Operation[]): Promise<TransactionResult> {
    this.#mustTakeWrites();
    const keys = new Set<string>();
    for (const operation of operations) {
      validateOperation(operation);
      if (keys.has(operation.key)) {
        throw new TypeError(
          `key ${JSON.stringify(operation.key)} appears twice in one transaction`,
        );
      }
      keys.add(operation.key);
    }
    const at = { revision: this.#commits.nextRevision, now: this.#clock.now() };
    const decisions = operations.map((each) => decide(each, this.#newest(each.key), at));
    const results: (Written | Deleted | Unchanged | Checked)[] = [];
    for (const { result } of decisions) {
      if (result.outcome === "refused") return this.#commits.afterPending(result);
      results.push(result);
    }
    const versions = decisions
      .filter((each) => each.version !== undefined)
      .map((each) => this.#place(each));
    if (versions.length === 0) {
      const revision = at.revision - 1;
      return this.#commits.afterPending<TransactionResult>({
        outcome: "unchanged",
        revision,
        results,
      });
    }
    const { revision } = at;
    return this.#commits.add<TransactionResult>(versions, {
      outcome: "committed",
      revision,
      results,
    });
  }

  watch(options: WatchOptions): Watch {
    this.#mustBeOpen();
    mustBeRevision(options.after);
    return this.#hub.watch(options);
  }

  observe(prefix: string, listener: (event: StoreEvent) => void): () => void {
    this.#mustBeOpen();
    return this.#hub.observe(prefix, listener);
  }

  async compact(revision: number): Promise<void> {
    this.#mustTakeWrites();
    mustBeRevision(revision);
    if (revision > this.#keyspace.revision)
      throw new RevisionAheadError(revision, this.#keyspace.revision);
    if (revision <= this.#commits.pendingCompactRevision)
      return this.#commits.afterPending(undefined);
    return this.#commits.compact(revision);
  }

  statistics(): StoreStatistics {
    const { heap, history, size } = this.#keyspace;
    return {
      keys: size,
      valueBytes: heap.liveBytes,
      heapBytes: heap.allocatedBytes,
      historyEvents: history.length,
      historyBytes: history.bytes,
      watchers: this.#hub.watchers,
      commitMode: this.#log.mode,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#expiry.stop();
    this.#historyKeeper.stop();
    await this.#commits.close();
    this.#hub.endAll(new StoreClosedError());
    await this.#log.close();
  }

  #write(operation: Exclude<Operation, { type: "check" }>): Promise<WriteResult> {
    try {
      this.#mustTakeWrites();
      validateOperation(operation);
      const at = { revision: this.#commits.nextRevision, now: this.#clock.now() };
      const decision = decide(operation, this.#newest(operation.key), at);
      const result = decision.result as WriteResult;
      if (decision.version !== undefined) return this.#commits.add([this.#place(decision)], result);
      if (this.#commits.pending(operation.key) === undefined) return Promise.resolve(result);
      return this.#commits.afterPending(result);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #newest(key: string): KeyVersion | undefined {
    return this.#commits.pending(key) ?? this.#keyspace.newest(key);
  }

  /** Copies the bytes now: the caller may reuse its buffer as soon as the call returns. */
  #place(write: Write): KeyVersion {
    if (write.bytes !== undefined) this.#keyspace.heap.place(write.version, write.bytes);
    return write.version;
  }

  /** State first, then watchers, then (by the caller of this) the writers. */
  #onCommit(batch: CommitBatch): void {
    this.#keyspace.apply(batch.versions);
    let bytes = 0;
    for (const version of batch.versions) {
      bytes += version.length;
      if (version.expiresAt !== undefined) this.#expiry.add(version);
    }
    this.#hub.publish(batch.versions);
    if (batch.compactRevision > this.#keyspace.compactRevision) {
      this.#keyspace.compact(batch.compactRevision);
      this.#hub.endCompacted();
    }
    // Deletes and compactions free space without writing any: they earn a budget too.
    this.#keyspace.heap.compact(bytes * 4 + minHeapBudget);
    this.#historyKeeper.committed();
  }

  #onRollback(versions: readonly KeyVersion[]): void {
    for (const version of versions) this.#keyspace.heap.release(version);
  }

  #expire(versions: readonly KeyVersion[]): void {
    for (const version of versions) {
      // A refusal is fine: the key was written again. A failed commit is tried again.
      const { key, revision } = version;
      this.delete(key, { expectedRevision: revision }).catch(() => this.#expiry.retry(version));
    }
  }

  #mustBeOpen(): void {
    if (this.#closing !== undefined) throw new StoreClosedError();
  }

  #mustTakeWrites(): void {
    this.#mustBeOpen();
    this.#commits.mustTakeWrites();
  }
}

/** What a log may ask about versions it holds. */
export function livenessIn(keyspace: Keyspace): Liveness {
  return {
    livenessOf(key, revision) {
      const newest = keyspace.newest(key);
      if (newest === undefined) return "replaced";
      if (newest.revision === revision) return "current";
      let version: KeyVersion | undefined = newest;
      while (version !== undefined && version.revision > revision) version = version.previous;
      return version?.revision === revision ? "history" : "replaced";
    },
  };
}
