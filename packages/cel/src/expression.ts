import type { CheckedExpression } from "./checker/checked-expression.ts";
import { estimateCost } from "./cost/estimate-cost.ts";
import type { SizeEstimator } from "./cost/size-book.ts";
import { Frame } from "./evaluate/frame.ts";
import type { Plan } from "./evaluate/plan.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { DYN, type Type } from "./expression-types/type.ts";
import type { CostRange } from "./library/library.ts";
import { WORK_PER_SLICE } from "./text/work-steps.ts";
import { isFailure } from "./values/failure.ts";
import type { Value } from "./values/value.ts";

export type Bindings = Readonly<Record<string, Value>>;

export interface EvaluateOptions {
  /** Units of cost; an evaluation that needs more fails with CostLimitExceeded. Default: no limit. */
  readonly costLimit?: number;
  /**
   * Fails with TakesLong rather than to do more than a few milliseconds of searching and other work
   * whose cost does not tell how long it takes. Default false.
   */
  readonly isQuick?: boolean;
}

export interface EvaluateAsyncOptions extends Pick<EvaluateOptions, "costLimit"> {
  /** Awaited after every so much work, so that others get a turn. */
  readonly breathe: () => Promise<void>;
  /** The work between two breaths, in units of cost. */
  readonly breatheEvery?: number;
}

export interface Evaluation {
  readonly value: Value;
  readonly cost: number;
  /** In microseconds, roughly, where the cost does not tell. */
  readonly work: number;
}

/** Less than 10 ms: loops do 30,000 units in a millisecond, the slowest functions 6,000. */
const BREATHE_EVERY = 10_000;

/** An expression of an environment, compiled. Evaluations are independent of each other. */
export class CelExpression {
  readonly text: string;
  readonly outputType: Type;
  readonly #checked: CheckedExpression;
  readonly #plan: Plan;

  constructor(text: string, checked: CheckedExpression, plan: Plan) {
    this.text = text;
    this.outputType = checked.types.get(checked.expression.id) ?? DYN;
    this.#checked = checked;
    this.#plan = plan;
  }

  /** Whether the expression mentions this variable of the environment. */
  uses(variable: string): boolean {
    return this.#plan.variables.has(variable);
  }

  /** What an evaluation may cost at least and at most. */
  estimateCost(sizeOf: SizeEstimator): CostRange {
    return estimateCost(this.#checked, sizeOf);
  }

  /** Throws EvaluationError. */
  evaluate(bindings: Bindings, options: EvaluateOptions = {}): Evaluation {
    const workLimit = options.isQuick === true ? WORK_PER_SLICE : Number.POSITIVE_INFINITY;
    const frame = this.#frame(bindings, { limit: options.costLimit, workLimit });
    return finished(this.#plan.node.run(frame), frame);
  }

  /** As `evaluate`, with pauses inside long loops and lengthy calls. */
  async evaluateAsync(bindings: Bindings, options: EvaluateAsyncOptions): Promise<Evaluation> {
    const { node } = this.#plan;
    if (node.steps === undefined) return this.evaluate(bindings, options);
    const { costLimit: limit, breatheEvery: pauseEvery } = options;
    const frame = this.#frame(bindings, { limit, pauseEvery });
    const steps = node.steps(frame);
    while (true) {
      const step = steps.next();
      if (step.done === true) return finished(step.value, frame);
      await options.breathe();
    }
  }

  #frame(
    bindings: Bindings,
    limits: {
      readonly limit: number | undefined;
      readonly pauseEvery?: number | undefined;
      readonly workLimit?: number;
    },
  ): Frame {
    const { limit = Infinity, pauseEvery = BREATHE_EVERY, workLimit = Infinity } = limits;
    const frame = new Frame({ slots: this.#plan.slots, limit, pauseEvery, workLimit });
    for (const [name, slot] of this.#plan.variables) {
      if (Object.hasOwn(bindings, name)) frame.slots[slot] = bindings[name];
    }
    return frame;
  }
}

function finished(value: Value, { cost, work }: Frame): Evaluation {
  if (isFailure(value)) throw new EvaluationError(value.message, { cost });
  return { value, cost, work };
}
