/**
 * How waiting is given up. Every async entry takes an `AbortSignal`; when it aborts, the entry
 * rejects with `signal.reason` exactly as it is. Whoever aborts without a reason of their own uses
 * {@link AbortError}. Listeners are removed as soon as they are of no use, so that a signal which
 * lives as long as the process can be handed to any number of short waits.
 */
export class AbortError extends Error {
  readonly code = "ABORT_ERR";
  override readonly name = "AbortError";

  constructor(message = "the operation was aborted", options?: ErrorOptions) {
    super(message, options);
  }
}

/** A signal that must be disposed of, so that what it listens to forgets it. */
export interface DisposableSignal extends Disposable {
  readonly signal: AbortSignal;
}

/** True for ours and the platform's: both are told by their name. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw signal.reason;
}

/**
 * Calls `run` once with the reason, when `signal` aborts or at once if it has; dispose of the
 * answer to stop listening. Without a signal, nothing ever happens.
 */
export function onAbort(
  signal: AbortSignal | undefined,
  run: (reason: unknown) => void,
): Disposable {
  if (signal === undefined) return NOTHING_HELD;
  if (signal.aborted) {
    run(signal.reason);
    return NOTHING_HELD;
  }
  const listener = (): void => run(signal.reason);
  signal.addEventListener("abort", listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", listener) };
}

/**
 * What `promise` gives, or the signal's reason if that comes first. The work behind the promise is
 * not stopped, only no longer waited for; what it does later goes unheard, errors included.
 */
export function abortable<T>(promise: PromiseLike<T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const listening = onAbort(signal, reject);
    promise.then(
      (value) => {
        listening[Symbol.dispose]();
        resolve(value);
      },
      (error: unknown) => {
        listening[Symbol.dispose]();
        reject(error);
      },
    );
  });
}

/**
 * An AbortController that also aborts, with the same reason, as soon as one of its parents does.
 * Disposing lets go of the parents and does not abort.
 */
export class LinkedAbortController implements DisposableSignal {
  readonly #controller = new AbortController();
  readonly #parents: Disposable[] = [];

  constructor(...parents: readonly (AbortSignal | undefined)[]) {
    for (const parent of parents) {
      this.#parents.push(onAbort(parent, (reason) => this.abort(reason)));
      if (this.signal.aborted) break;
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown = new AbortError()): void {
    this[Symbol.dispose]();
    this.#controller.abort(reason);
  }

  [Symbol.dispose](): void {
    for (const parent of this.#parents.splice(0)) parent[Symbol.dispose]();
  }
}

/** Aborts as soon as one of `signals` does, with its reason; absent signals are passed over. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): DisposableSignal {
  return new LinkedAbortController(...signals);
}

const NOTHING_HELD: Disposable = { [Symbol.dispose]: () => {} };
