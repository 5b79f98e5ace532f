import { AbortError, abortable, isAbortError, LinkedAbortController } from "./abort.ts";
import { Deferred } from "./deferred.ts";

/** A task was given to a group whose tasks have all been waited for. */
export class TaskGroupClosedError extends Error {
  readonly code = "TASK_GROUP_CLOSED";
  override readonly name = "TaskGroupClosedError";

  constructor() {
    super("expected a task group that is open, got one that was joined or disposed of");
  }
}

export interface TaskGroupOptions {
  /** Aborts the group with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface JoinOptions {
  /** Stops the waiting, not the tasks. */
  readonly signal?: AbortSignal | undefined;
}

export interface Task<T> {
  /** What the task gives. Need not be awaited: its error reaches the group in any case. */
  readonly result: Promise<T>;
}

/**
 * Tasks that live and end together: none outlives the group, and no error is lost.
 *
 * The first task that fails aborts the signal of all; {@link join} waits until every task has ended
 * and throws that first error. Leaving an `await using` scope aborts and waits for what still runs,
 * and throws the first error unless `join` already has. Once the group is aborted, a task that ends
 * with the signal's reason or an AbortError has not failed, it was stopped.
 *
 * ```ts
 * await using group = new TaskGroup({ signal });
 * group.spawn((signal) => watchPods(signal));
 * group.spawn((signal) => watchNodes(signal));
 * await group.join();
 * ```
 */
export class TaskGroup implements AsyncDisposable {
  readonly #parent: AbortSignal | undefined;
  readonly #controller: LinkedAbortController;
  #running = 0;
  /** Resolved and replaced whenever the last running task has ended. */
  #idle = new Deferred();
  #failure: { readonly error: unknown } | undefined;
  #isFailureTold = false;
  #wasTaskStopped = false;
  #isClosed = false;

  constructor({ signal }: TaskGroupOptions = {}) {
    this.#parent = signal;
    this.#controller = new LinkedAbortController(signal);
  }

  /** Aborts when the group does; every task is given it. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Tasks that have not ended yet. */
  get size(): number {
    return this.#running;
  }

  /**
   * Starts a task, at once and inside this call up to its first `await`. Tasks may spawn more while
   * the group is joined. Throws the signal's reason when the group is aborted.
   */
  spawn<T>(run: (signal: AbortSignal) => T | PromiseLike<T>): Task<T> {
    if (this.#isClosed) throw new TaskGroupClosedError();
    this.signal.throwIfAborted();
    this.#running += 1;
    const result = (async () => run(this.signal))();
    result.then(
      () => this.#ended(),
      (error: unknown) => {
        this.#sort(error);
        this.#ended();
      },
    );
    return { result };
  }

  /** Asks every task to stop; `join` then waits for them and counts the stopped ones as done. */
  abort(reason: unknown = new AbortError("the task group was aborted")): void {
    this.#controller.abort(reason);
  }

  /**
   * Waits for every task, then closes the group. Rejects with the first error of a task, or with
   * the reason of the group's own parent signal when that stopped a task.
   */
  async join({ signal }: JoinOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    while (this.#running > 0) await abortable(this.#idle.promise, signal);
    this.#close();
    if (this.#failure !== undefined) {
      this.#isFailureTold = true;
      throw this.#failure.error;
    }
    if (this.#wasTaskStopped && this.#parent?.aborted === true) throw this.signal.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#running > 0) this.abort(new AbortError("the task group was left"));
    while (this.#running > 0) await this.#idle.promise;
    this.#close();
    if (this.#failure !== undefined && !this.#isFailureTold) throw this.#failure.error;
  }

  #sort(error: unknown): void {
    if (this.signal.aborted && (error === this.signal.reason || isAbortError(error))) {
      this.#wasTaskStopped = true;
    } else if (this.#failure === undefined) {
      this.#failure = { error };
      this.abort(new AbortError("another task of the group failed", { cause: error }));
    }
  }

  #ended(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    this.#idle.resolve();
    this.#idle = new Deferred();
  }

  #close(): void {
    this.#isClosed = true;
    this.#controller[Symbol.dispose]();
  }
}
