/**
 * Whom to tell that an exchange is over. Each listener on a stream costs a request about a
 * microsecond, so there is one for all: {@link ExchangeEnd.reach}.
 */
export class ExchangeEnd {
  /** Undefined once it is over. */
  #listeners: (() => void)[] | undefined = [];

  /** Calls back once; at once when it is over already. */
  tell(listener: () => void): void {
    if (this.#listeners === undefined) listener();
    else this.#listeners.push(listener);
  }

  readonly reach: () => void = () => {
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  };
}
