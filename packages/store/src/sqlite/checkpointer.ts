import type { LogWorkerClient } from "./log-worker-client.ts";

/** Bytes in the write-ahead log at which it is moved into the database. */
const wantedAt = 32 * 1024 * 1024;
/** Bytes at which commits wait for it, so that the file can start over. */
const enforcedAt = 256 * 1024 * 1024;

/**
 * When the write-ahead log is moved into the database. SQLite starts the file over only if a
 * checkpoint has moved all of it by the next commit.
 *
 * resting   little was written since the last checkpoint
 * moving    the worker checkpoints; commits go on, so that it may not reach the end
 * draining  the file has become too long: commits wait (the loop does not) for one more checkpoint
 */
export class Checkpointer {
  readonly #worker: LogWorkerClient;
  #state: "resting" | "moving" | "draining" = "resting";
  /** Written since the file last started over; since the last checkpoint began. */
  #length: number;
  #sinceCheckpoint: number;
  #current: Promise<void> = Promise.resolve();

  /** `found`: bytes of the write-ahead log at opening, which a killed process has left. */
  constructor(worker: LogWorkerClient, found: number) {
    this.#worker = worker;
    this.#length = found;
    this.#sinceCheckpoint = found;
  }

  /** To be told of each commit. */
  wrote(bytes: number): void {
    this.#length += bytes;
    this.#sinceCheckpoint += bytes;
    if (this.#state === "resting" && this.#sinceCheckpoint >= wantedAt) {
      this.#state = "moving";
      this.#current = this.#checkpoint();
    }
  }

  /** Undefined when the next commit may be written at once. */
  beforeCommit(): Promise<void> | undefined {
    if (this.#length < enforcedAt) return undefined;
    return this.#drain();
  }

  /** Waits for the checkpoint under way, and moves the rest where closing would hold the loop for long. */
  async finish(): Promise<void> {
    await this.#current;
    if (this.#length >= wantedAt / 4) await this.#checkpoint();
  }

  async #drain(): Promise<void> {
    await this.#current;
    this.#state = "draining";
    this.#current = this.#checkpoint();
    await this.#current;
    // Whether or not it reached the end, do not hold up every commit from here on.
    this.#length = 0;
  }

  async #checkpoint(): Promise<void> {
    const begun = this.#length;
    this.#sinceCheckpoint = 0;
    try {
      const result = await this.#worker.checkpoint();
      const isWhole = result !== undefined && result.moved === result.frames;
      if (isWhole && this.#length === begun) this.#length = 0;
    } catch {
      // The worker is gone; commits find out by themselves.
    }
    this.#state = "resting";
  }
}
