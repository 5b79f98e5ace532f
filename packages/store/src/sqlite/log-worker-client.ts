import type { Worker } from "node:worker_threads";
import { Deferred } from "@homeostat/concurrency";
import { CommitFailedError } from "../store-error.ts";
import type { LogTransaction } from "./log-transaction.ts";
import type { LogWorkerData, WorkerAnswer, WorkerRequest } from "./worker-message.ts";

type Question = { type: "commit"; transaction: LogTransaction } | { type: "checkpoint" };

/** The store's side of a log worker. The thread starts with the first question. */
export class LogWorkerClient {
  readonly #file: string;
  readonly #sync: boolean;
  readonly #waiting = new Map<number, Deferred<WorkerAnswer>>();
  #worker: Worker | undefined;
  #asked = 0;

  constructor(file: string, { sync = true }: { sync?: boolean } = {}) {
    this.#file = file;
    this.#sync = sync;
  }

  /**
   * Resolves with the time the commit took and the rows' memory, which is away meanwhile; rejects
   * with CommitFailedError when the commit failed.
   */
  async commit(transaction: LogTransaction): Promise<{ time: number; memory: ArrayBuffer[] }> {
    const memory = transaction.rows.map((row) => row.records.buffer as ArrayBuffer);
    const answer = await this.#ask({ type: "commit", transaction }, memory);
    if (answer.type === "committed") return answer;
    const { reason, message } =
      answer.type === "commit-failed"
        ? answer
        : { reason: "io-failed" as const, message: `unexpected ${answer.type}` };
    throw new CommitFailedError({ reason, message });
  }

  /** Moves what it can without making writers wait; undefined when it failed (a full disk). */
  async checkpoint(): Promise<{ frames: number; moved: number } | undefined> {
    const answer = await this.#ask({ type: "checkpoint" }, []);
    return answer.type === "checkpointed" ? answer : undefined;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(question: Question, memory: ArrayBuffer[]): Promise<WorkerAnswer> {
    this.#asked += 1;
    const id = this.#asked;
    const answer = new Deferred<WorkerAnswer>();
    this.#waiting.set(id, answer);
    const worker = this.#started();
    worker.postMessage({ ...question, id } satisfies WorkerRequest, memory);
    // Keeps the process alive for as long as somebody waits, and no longer.
    worker.ref();
    return answer.promise;
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    // Source runs unbuilt in development: the worker has the ending that this file has.
    const ending = import.meta.url.slice(import.meta.url.lastIndexOf("."));
    // Loaded now, not with the store: no start should wait for it.
    const threads = process.getBuiltinModule("node:worker_threads");
    const worker = new threads.Worker(new URL(`./log-worker${ending}`, import.meta.url), {
      workerData: { file: this.#file, sync: this.#sync } satisfies LogWorkerData,
      name: "store-log",
      ...execArguments(process.execArgv),
    });
    worker.on("message", (answer: WorkerAnswer) => {
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
      if (this.#waiting.size === 0) worker.unref();
    });
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => {
      // A question to a worker that is gone would wait for ever: the next one starts another.
      this.#worker = undefined;
      this.#fail(new Error("the log worker has ended"));
    });
    this.#worker = worker;
    return worker;
  }

  /** Nobody knows what became of a commit under way: the store must not go on. */
  #fail(error: unknown): void {
    const message = `the log worker failed: ${String(error)}`;
    for (const answer of this.#waiting.values()) {
      answer.reject(new CommitFailedError({ reason: "io-failed", message, cause: error }));
    }
    this.#waiting.clear();
  }
}

/**
 * A worker takes over the process's flags by itself, and must: given explicitly, V8's flags are
 * refused. Only a flag for text on the command line has to go, since it refuses files.
 */
function execArguments(flags: readonly string[]): { execArgv?: string[] } {
  const kept = flags.filter((flag) => !flag.startsWith("--input-type"));
  return kept.length === flags.length ? {} : { execArgv: kept };
}
