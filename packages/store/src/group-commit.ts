import type { Clock } from "@homeostat/concurrency";
import type { CommitLog } from "./commit-log.ts";
import type { KeyVersion } from "./key-version.ts";
import { CommitFailedError, StoreClosedError } from "./store-error.ts";

/** One caller waiting for a batch: gets its answer on commit, the error when it is rolled back. */
interface Waiter {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly answer: unknown;
}

interface Batch {
  readonly versions: KeyVersion[];
  readonly waiters: Waiter[];
  revision: number;
  compactRevision: number;
}

export interface GroupCommitOptions {
  readonly clock: Clock;
  readonly log: CommitLog;
  readonly revision: number;
  readonly compactRevision: number;
  /** Called with each durable batch, before its callers are answered. */
  readonly onCommit: (batch: Readonly<Batch>) => void;
  /** Called when a batch, and every later one built on it, was rolled back. */
  readonly onRollback: (versions: readonly KeyVersion[]) => void;
}

/**
 * Turns single writes into batches, one per turn of the loop, and knows what is pending: a write is
 * checked against the pending state of its key, but nobody reads it before it is durable.
 *
 * idle        nothing pending; the first write opens a batch       -> gathering
 * gathering   the open batch takes writes until this turn ends     -> committing
 * committing  the log writes one batch; later writes open the next -> idle or gathering
 * failed      the log broke for good; writes are refused           (end)
 *
 * When a batch fails, the open batch fails with it: its writes were checked against states that
 * never came to be.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  /** Newest pending version of each key, over all batches. */
  readonly #pending = new Map<string, KeyVersion>();
  /** The batch that takes writes, and the one the log is writing. */
  #open: Batch | undefined;
  #committing: Batch | undefined;
  #isScheduled = false;
  /** What the next batch builds on. */
  #revision: number;
  #compactRevision: number;
  #committed: { revision: number; compactRevision: number };
  #failure: Error | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#revision = options.revision;
    this.#compactRevision = options.compactRevision;
    this.#committed = options;
  }

  /** The newest pending version of a key, a tombstone included. */
  pending(key: string): KeyVersion | undefined {
    return this.#pending.get(key);
  }

  /** The compact revision once everything pending is committed. */
  get pendingCompactRevision(): number {
    return this.#compactRevision;
  }

  /** The revision that the next added versions must carry. */
  get nextRevision(): number {
    return this.#revision + 1;
  }

  /** Throws unless writes are taken. */
  mustTakeWrites(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Adds one write's versions, all of `nextRevision`; resolves with `answer` once durable. */
  add<T>(versions: readonly KeyVersion[], answer: T): Promise<T> {
    const batch = this.#openBatch();
    this.#revision += 1;
    batch.revision = this.#revision;
    for (const version of versions) {
      batch.versions.push(version);
      this.#pending.set(version.key, version);
    }
    return this.#wait(batch, answer);
  }

  /** Raises the compact revision with the next batch. */
  compact(revision: number): Promise<void> {
    this.#compactRevision = Math.max(this.#compactRevision, revision);
    const batch = this.#openBatch();
    batch.compactRevision = this.#compactRevision;
    return this.#wait(batch, undefined);
  }

  /**
   * An answer that depends on pending writes (refused because of one, equal to one) must not be
   * given before they are durable, nor if they never are.
   */
  afterPending<T>(answer: T): Promise<T> {
    const batch = this.#open ?? this.#committing;
    return batch === undefined ? Promise.resolve(answer) : this.#wait(batch, answer);
  }

  /** Waits for everything pending; writes from now on are refused. Never throws. */
  async close(): Promise<void> {
    this.#failure ??= new StoreClosedError();
    while (this.#open !== undefined || this.#committing !== undefined) {
      await this.afterPending(undefined).catch(() => undefined);
    }
  }

  #openBatch(): Batch {
    this.mustTakeWrites();
    if (this.#open === undefined) {
      this.#open = {
        versions: [],
        waiters: [],
        revision: this.#revision,
        compactRevision: this.#compactRevision,
      };
      this.#schedule();
    }
    return this.#open;
  }

  #wait<T>(batch: Batch, answer: T): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      batch.waiters.push({ resolve, reject, answer });
    }) as Promise<T>;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#committing !== undefined) return;
    this.#isScheduled = true;
    this.#options.clock.endOfTurn(() => {
      this.#isScheduled = false;
      this.#commit();
    });
  }

  #commit(): void {
    const batch = this.#open;
    if (batch === undefined) return;
    this.#open = undefined;
    this.#committing = batch;
    let durable: Promise<void> | undefined;
    try {
      durable = this.#options.log.append(batch);
    } catch (error) {
      this.#rollBack(error);
      return;
    }
    if (durable === undefined) this.#succeed(batch);
    else {
      durable.then(
        () => this.#succeed(batch),
        (error: unknown) => this.#rollBack(error),
      );
    }
  }

  #succeed(batch: Batch): void {
    this.#committing = undefined;
    this.#committed = batch;
    if (this.#open === undefined) this.#pending.clear();
    else for (const version of batch.versions) this.#forgetPending(version);
    try {
      this.#options.onCommit(batch);
    } finally {
      // Durable is durable, whatever goes wrong in telling others.
      for (const waiter of batch.waiters) waiter.resolve(waiter.answer);
    }
    if (this.#open !== undefined) this.#schedule();
  }

  #forgetPending(version: KeyVersion): void {
    if (this.#pending.get(version.key) === version) this.#pending.delete(version.key);
  }

  #rollBack(cause: unknown): void {
    const error =
      cause instanceof CommitFailedError
        ? cause
        : new CommitFailedError({
            reason: "io-failed",
            message: `the log failed: ${String(cause)}`,
            cause,
          });
    const failed = [this.#committing, this.#open].filter((batch) => batch !== undefined);
    this.#committing = undefined;
    this.#open = undefined;
    this.#pending.clear();
    this.#revision = this.#committed.revision;
    this.#compactRevision = this.#committed.compactRevision;
    if (error.fatal) this.#failure ??= error;
    for (const batch of failed) {
      this.#options.onRollback(batch.versions);
      for (const waiter of batch.waiters) waiter.reject(error);
    }
  }
}
