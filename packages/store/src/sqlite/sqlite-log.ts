import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "@homeostat/concurrency";
import type { CommitBatch, CommitLog, Liveness } from "../commit-log.ts";
import type { KeyVersion } from "../key-version.ts";
import { Checkpointer } from "./checkpointer.ts";
import { CommitPace } from "./commit-pace.ts";
import type { LogExtent } from "./load-log.ts";
import { type Cleaning, LogCleaner } from "./log-cleaner.ts";
import { RowWriter, recordBound } from "./log-record.ts";
import { type LogRow, type LogTransaction, LogWriter } from "./log-transaction.ts";
import { LogWorkerClient } from "./log-worker-client.ts";
import { pageSize } from "./schema.ts";
import type { Watermark } from "./watermark.ts";

export interface SqliteLogOptions {
  readonly clock: Clock;
  readonly db: DatabaseSync;
  readonly file: string;
  readonly extent: LogExtent;
  /** Of the write-ahead log that was there at opening. */
  readonly walBytes: number;
  readonly compactRevision: number;
  readonly watermark: Watermark;
  readonly liveness: Liveness;
  /** Bytes that the log cannot do without: what reads can reach. */
  readonly neededBytes: () => number;
  /** Compacts a good part of the history. */
  readonly shortenHistory: () => void;
  /** Whether commits may leave the loop. */
  readonly commitMode: "auto" | "loop" | "worker";
  /** Whether a commit is on disk when it is acknowledged. */
  readonly sync: boolean;
}

/** A row is closed when it has this many bytes, so that cleaning goes in small steps. */
const rowBytes = 1024 * 1024;
/** Cleaning begins when this much and half of the log is garbage. */
const minGarbage = 16 * 1024 * 1024;
const minCleaningStep = 64 * 1024;
/** History is cut when a log that it keeps from being cleaned has this much garbage, and is a third needed. */
const hardGarbage = 64 * 1024 * 1024;

/** Commits as rows of the table `log`. Durable when `append` answers. */
export class SqliteLog implements CommitLog {
  readonly #options: SqliteLogOptions;
  readonly #writer: LogWriter;
  readonly #cleaner: LogCleaner;
  /** Two threads, each started when first needed: a checkpoint must not hold up commits. */
  readonly #committer: LogWorkerClient;
  readonly #mover: LogWorkerClient;
  readonly #checkpointer: Checkpointer;
  readonly #pace = new CommitPace();
  /** Memory for rows, used again commit after commit. */
  readonly #spare: ArrayBuffer[] = [];
  #extent: LogExtent;
  #compactRevision: number;
  /** The compact revision at which nothing could be cleaned. */
  #blockedAt: number | undefined;

  constructor(options: SqliteLogOptions) {
    this.#options = options;
    this.#writer = new LogWriter(options.db);
    this.#cleaner = new LogCleaner(options.db, options.liveness);
    this.#committer = new LogWorkerClient(options.file, options);
    this.#mover = new LogWorkerClient(options.file, options);
    this.#checkpointer = new Checkpointer(this.#mover, options.walBytes);
    this.#extent = options.extent;
    this.#compactRevision = options.compactRevision;
  }

  get mode(): "loop" | "worker" {
    const { commitMode } = this.#options;
    return commitMode === "auto" ? this.#pace.mode : commitMode;
  }

  append(batch: CommitBatch): Promise<void> | undefined {
    const hold = this.#checkpointer.beforeCommit();
    if (hold !== undefined) return hold.then(() => this.#append(batch));
    return this.#append(batch);
  }

  async close(): Promise<void> {
    await this.#checkpointer.finish();
    await Promise.all([this.#committer.close(), this.#mover.close()]);
  }

  #append(batch: CommitBatch): Promise<void> | undefined {
    const cleaning = this.#clean(batch);
    const rows = this.#rowsOf(batch.versions, cleaning);
    const compacts = batch.compactRevision !== this.#compactRevision;
    const head = cleaning?.head ?? this.#extent.head;
    const meta =
      compacts || cleaning !== undefined
        ? { head, compactRevision: batch.compactRevision }
        : undefined;
    const written = rows.reduce((sum, row) => sum + row.records.length, 0);
    const succeed = (): void => {
      const { next, bytes } = this.#extent;
      const removed = cleaning?.removedBytes ?? 0;
      this.#extent = { head, next: next + rows.length, bytes: bytes + written - removed };
      this.#compactRevision = batch.compactRevision;
      this.#checkpointer.wrote(walBytesOf(rows));
      this.#options.watermark.write(batch.revision);
    };
    if (this.mode === "worker") return this.#appendInWorker({ rows, meta }, succeed);
    const start = this.#options.clock.monotonic();
    try {
      this.#writer.write({ rows, meta });
    } finally {
      for (const row of rows) this.#giveBack(row.records.buffer as ArrayBuffer);
    }
    this.#pace.took(this.#options.clock.monotonic() - start);
    succeed();
    return undefined;
  }

  async #appendInWorker(transaction: LogTransaction, succeed: () => void): Promise<void> {
    const { time, memory } = await this.#committer.commit(transaction);
    this.#pace.took(time);
    for (const each of memory) this.#giveBack(each);
    succeed();
  }

  #clean(batch: CommitBatch): Cleaning | undefined {
    const garbage = this.#extent.bytes - this.#options.neededBytes();
    if (garbage < minGarbage || garbage * 2 < this.#extent.bytes) return undefined;
    if (this.#blockedAt === this.#compactRevision) return undefined;
    const written = batch.versions.reduce((sum, version) => sum + version.length, 0);
    const cleaning = this.#cleaner.clean({
      head: this.#extent.head,
      next: this.#extent.next,
      compactRevision: this.#compactRevision,
      budget: Math.max(written * 3, minCleaningStep),
    });
    if (cleaning !== undefined) return cleaning;
    // The head is needed by history: looking again is in vain until compaction has moved on.
    this.#blockedAt = this.#compactRevision;
    if (garbage > hardGarbage && garbage * 3 > this.#extent.bytes * 2)
      this.#options.shortenHistory();
    return undefined;
  }

  /** Moved records first: a batch may hold a newer version of the same key. */
  #rowsOf(versions: readonly KeyVersion[], cleaning: Cleaning | undefined): LogRow[] {
    const rows: LogRow[] = [];
    let writer: RowWriter | undefined;
    const close = (): void => {
      if (writer === undefined || writer.length === 0) return;
      rows.push({
        position: this.#extent.next + rows.length,
        ...writer.revisions,
        records: writer.records(),
      });
      writer = undefined;
    };
    const writerFor = (bytes: number): RowWriter => {
      if (writer !== undefined && writer.room < bytes) close();
      writer ??= new RowWriter(this.#takeMemory(bytes));
      return writer;
    };
    for (const { row, record } of cleaning?.moved ?? [])
      writerFor(record.end - record.start).copy(row, record);
    close();
    for (const version of versions) writerFor(recordBound(version)).write(version);
    close();
    return rows;
  }

  #takeMemory(bytes: number): ArrayBuffer {
    if (bytes > rowBytes) return new ArrayBuffer(bytes);
    return this.#spare.pop() ?? new ArrayBuffer(rowBytes);
  }

  #giveBack(memory: ArrayBuffer): void {
    if (memory.byteLength === rowBytes && this.#spare.length < 4) this.#spare.push(memory);
  }
}

/** Bytes in the write-ahead log: whole pages with a header each, the tree's own page included. */
function walBytesOf(rows: readonly LogRow[]): number {
  const frames = rows.reduce((sum, row) => sum + Math.ceil(row.records.length / pageSize) + 1, 1);
  return frames * (pageSize + 24);
}
