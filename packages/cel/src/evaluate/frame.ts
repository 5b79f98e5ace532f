/**
 * The state of one evaluation: variables by slot, what it has cost so far, and how much work it was
 * where the cost does not tell (searching a text with a pattern may cost 1). A frame belongs to one
 * evaluation and is thrown away with it; plans hold no state.
 */
import { EvaluationError } from "../evaluation-error.ts";
import { WORK_PER_SLICE } from "../text/work-steps.ts";
import type { Value } from "../values/value.ts";

export class Frame {
  /** Undefined where a variable has no value (yet). */
  readonly slots: (Value | undefined)[] = [];
  cost = 0;
  /** At which cost a loop gives others a turn. */
  #nextPause: number;
  /** In microseconds, roughly. */
  work = 0;
  #nextRest: number = WORK_PER_SLICE;
  readonly #workLimit: number;
  readonly limit: number;
  readonly #pauseEvery: number;

  constructor(options: {
    readonly slots: number;
    readonly limit: number;
    readonly pauseEvery: number;
    readonly workLimit: number;
  }) {
    for (let slot = 0; slot < options.slots; slot += 1) this.slots.push(undefined);
    this.limit = options.limit;
    this.#pauseEvery = options.pauseEvery;
    this.#nextPause = options.pauseEvery;
    this.#workLimit = options.workLimit;
  }

  /** Whether others are due to get a turn; after that, {@link paused}. */
  get needsPause(): boolean {
    return this.cost >= this.#nextPause || this.work >= this.#nextRest;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) throw limitExceeded(this.cost);
  }

  /** Before work whose cost is charged when it is done: there is no use in doing it for nothing. */
  expect(cost: number): void {
    if (this.cost + cost > this.limit) throw limitExceeded(this.cost + cost);
  }

  /** Before work of so many microseconds, roughly. */
  spend(work: number): void {
    this.work += work;
    if (this.work > this.#workLimit) {
      const { cost } = this;
      throw new EvaluationError("takes longer than a turn", { code: "TakesLong", cost });
    }
  }

  paused(): void {
    this.#nextPause = this.cost + this.#pauseEvery;
    this.#nextRest = this.work + WORK_PER_SLICE;
  }
}

function limitExceeded(cost: number): EvaluationError {
  const code = "CostLimitExceeded";
  return new EvaluationError("operation cancelled: actual cost limit exceeded", { code, cost });
}
