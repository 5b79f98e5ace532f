import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { type AuditEvent, type AuditSink, printAuditEvent } from "@homeostat/api-server";
import type { Clock } from "@homeostat/concurrency";

const DAY = 24 * 60 * 60 * 1000;
const MEGABYTE = 1024 * 1024;
const DEFAULT_MEGABYTES = 100;
/** What waits to be written; the rest of a turn's events join it. */
const MAX_PENDING = 8 * MEGABYTE;

export interface AuditLogFileOptions {
  readonly path: string;
  /** Megabytes; 0: 100. */
  readonly maxSize: number;
  /** Files; 0: all. */
  readonly maxBackups: number;
  /** Days; 0: for ever. */
  readonly maxAge: number;
  readonly clock: Clock;
  /** Told once when events begin to be lost. */
  readonly onError: (error: unknown) => void;
}

/**
 * A file of events, a line each, in order. What is told of a request is in it before the request is
 * answered; what only begins may wait for the end of the turn and be written with others. When the file is full it gets the time (milliseconds since 1970) into its name, and a new one begins; those that are too many
 * or too old are removed. An event that cannot be written is lost, and the server goes on.
 */
export class AuditLogFile implements AuditSink, Disposable {
  readonly #options: AuditLogFileOptions;
  readonly #limit: number;
  #file: number;
  #size: number;
  #pending: string[] = [];
  #pendingLength = 0;
  #hasFailed = false;

  /** Throws the system's error when the file cannot be opened. */
  constructor(options: AuditLogFileOptions) {
    this.#options = options;
    this.#limit = (options.maxSize || DEFAULT_MEGABYTES) * MEGABYTE;
    mkdirSync(dirname(options.path), { recursive: true });
    this.#file = openSync(options.path, "a", 0o600);
    this.#size = statSync(options.path).size;
    this.#removeOld();
  }

  write(event: AuditEvent): void {
    const line = `${printAuditEvent(event)}\n`;
    if (this.#pending.length === 0) this.#options.clock.endOfTurn(() => this.#flush());
    this.#pending.push(line);
    this.#pendingLength += line.length;
    const isOver = event.stage === "ResponseComplete" || event.stage === "Panic";
    if (isOver || this.#pendingLength > MAX_PENDING) this.#flush();
  }

  [Symbol.dispose](): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const bytes = Buffer.from(this.#pending.join(""));
    this.#pending = [];
    this.#pendingLength = 0;
    try {
      if (this.#size > 0 && this.#size + bytes.length > this.#limit) this.#rotate();
      writeSync(this.#file, bytes);
      this.#size += bytes.length;
    } catch (error) {
      if (!this.#hasFailed) this.#options.onError(error);
      this.#hasFailed = true;
    }
  }

  #rotate(): void {
    const { path, clock } = this.#options;
    const extension = extname(path);
    // No two of one millisecond: a file takes longer to fill.
    const name = `${basename(path, extension)}-${clock.now()}${extension}`;
    renameSync(path, join(dirname(path), name));
    closeSync(this.#file);
    this.#file = openSync(path, "a", 0o600);
    this.#size = 0;
    this.#removeOld();
  }

  #removeOld(): void {
    const { path, maxBackups, maxAge, clock } = this.#options;
    if (maxBackups === 0 && maxAge === 0) return;
    const folder = dirname(path);
    const prefix = `${basename(path, extname(path))}-`;
    const backups = readdirSync(folder)
      .filter((name) => name.startsWith(prefix) && name.endsWith(extname(path)))
      .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
      .sort((a, b) => b.at - a.at);
    const oldest = maxAge === 0 ? Number.NEGATIVE_INFINITY : clock.now() - maxAge * DAY;
    for (const [place, { name, at }] of backups.entries()) {
      const isTooMany = maxBackups > 0 && place >= maxBackups;
      if (isTooMany || at < oldest) unlinkSync(join(folder, name));
    }
  }
}
