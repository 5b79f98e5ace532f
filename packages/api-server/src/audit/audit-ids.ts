import type { Random } from "@homeostat/concurrency";

const DIGITS = 6;
const COUNT = 16 ** DIGITS;

/** Names for requests: UUIDs. Chance is asked for the first of many; the others count up from it. */
export class AuditIds {
  readonly #random: Random;
  #prefix = "";
  #next = 0;
  #left = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): string {
    if (this.#left-- === 0) {
      const first = this.#random.uuid();
      this.#prefix = first.slice(0, -DIGITS);
      this.#next = Number.parseInt(first.slice(-DIGITS), 16);
      this.#left = COUNT - 1;
    }
    const id = this.#prefix + this.#next.toString(16).padStart(DIGITS, "0");
    this.#next = (this.#next + 1) % COUNT;
    return id;
  }
}
