/**
 * The state of one evaluation: variables by slot, and what it has cost so far. A frame belongs to one
 * evaluation and is thrown away with it; plans hold no state.
 */
import { EvaluationError } from "../evaluation-error.ts";
import type { Value } from "../values/value.ts";

export class Frame {
  /** Undefined where a variable has no value (yet). */
  readonly slots: (Value | undefined)[] = [];
  cost = 0;
  /** At which cost a loop gives others a turn. */
  nextPause: number;
  readonly limit: number;
  readonly #pauseEvery: number;

  constructor(options: {
    readonly slots: number;
    readonly limit: number;
    readonly pauseEvery: number;
  }) {
    for (let slot = 0; slot < options.slots; slot += 1) this.slots.push(undefined);
    this.limit = options.limit;
    this.#pauseEvery = options.pauseEvery;
    this.nextPause = options.pauseEvery;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) {
      throw new EvaluationError("operation cancelled: actual cost limit exceeded", {
        code: "CostLimitExceeded",
        cost: this.cost,
      });
    }
  }

  paused(): void {
    this.nextPause = this.cost + this.#pauseEvery;
  }
}
