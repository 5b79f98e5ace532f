import type { AccessAttributes } from "../authorization/authorizer.ts";

const SECOND = 1000;

/** Whether a request may change something, as far as its verb tells. */
export function isMutating({ verb }: AccessAttributes): boolean {
  return verb !== "get" && verb !== "list" && verb !== "watch";
}

/** How many requests there are at a time, and the most in the last second. */
export class RequestsInFlight {
  #current = 0;
  #highest = 0;
  #highestBefore = 0;
  #second = 0;

  change(by: number, now: number): void {
    this.#turn(now);
    this.#current += by;
    if (this.#current > this.#highest) this.#highest = this.#current;
  }

  highest(now: number): number {
    this.#turn(now);
    return Math.max(this.#highest, this.#highestBefore);
  }

  #turn(now: number): void {
    const second = Math.floor(now / SECOND);
    if (second === this.#second) return;
    this.#highestBefore = second === this.#second + 1 ? this.#highest : this.#current;
    this.#highest = this.#current;
    this.#second = second;
  }
}
