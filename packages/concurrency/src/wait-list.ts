import { onAbort } from "./abort.ts";

/** One who waits, and what they brought. */
export interface Waiter<Brought, Given> {
  readonly brought: Brought;
  give(value: Given): void;
  refuse(error: unknown): void;
}

interface Place<Brought, Given> extends Waiter<Brought, Given> {
  before: Place<Brought, Given> | undefined;
  behind: Place<Brought, Given> | undefined;
  stopListening: () => void;
}

/** First come, first served. Who aborts leaves at once, from any place in the line. */
export class WaitList<Brought, Given> {
  #first: Place<Brought, Given> | undefined;
  #last: Place<Brought, Given> | undefined;

  /** Settles when the waiter, returned by {@link shift}, is given a value or is refused. */
  wait(brought: Brought, signal?: AbortSignal): Promise<Given> {
    return new Promise((give, refuse) => {
      const place: Place<Brought, Given> = {
        brought,
        give,
        refuse,
        before: this.#last,
        behind: undefined,
        stopListening: () => {},
      };
      if (this.#last === undefined) this.#first = place;
      else this.#last.behind = place;
      this.#last = place;
      if (signal === undefined) return;
      const listening = onAbort(signal, (reason) => {
        this.#leave(place);
        refuse(reason);
      });
      place.stopListening = () => listening[Symbol.dispose]();
    });
  }

  /** Who has waited longest, no longer in the list. */
  shift(): Waiter<Brought, Given> | undefined {
    const first = this.#first;
    if (first === undefined) return undefined;
    first.stopListening();
    this.#leave(first);
    return first;
  }

  #leave(place: Place<Brought, Given>): void {
    if (place.before === undefined) this.#first = place.behind;
    else place.before.behind = place.behind;
    if (place.behind === undefined) this.#last = place.before;
    else place.behind.before = place.before;
  }
}
