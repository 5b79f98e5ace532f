/**
 * A promise settled from outside: the waiting half is handed out, the deciding half is kept. The
 * first call of `resolve` or `reject` decides, later ones have no effect.
 */
export class Deferred<T = void> {
  readonly promise: Promise<T>;
  readonly #resolve: (value: T | PromiseLike<T>) => void;
  readonly #reject: (error: unknown) => void;
  #isSettled = false;

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.promise = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Whether `resolve` or `reject` has been called. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  resolve(value: T | PromiseLike<T>): void {
    this.#isSettled = true;
    this.#resolve(value);
  }

  /** Somebody must be waiting, or come to wait in this turn: else Node reports the rejection. */
  reject(error: unknown): void {
    this.#isSettled = true;
    this.#reject(error);
  }
}
