import {
  type Bindings,
  type CelExpression,
  type Environment,
  EvaluationError,
  Failure,
  type MapValue,
  type Type,
  type Value,
} from "@homeostat/cel";
import { printExactType } from "../../rules/checks/cel-texts.ts";

/** What one expression may cost, and all of a policy for one object. */
const PER_CALL_LIMIT = 1_000_000;
export const EXPRESSION_BUDGET = 10_000_000;
/** Of the conditions of a webhook or policy. */
export const CONDITIONS_BUDGET = 2_500_000;
/** A variable that costs less is computed on the way: a few milliseconds at most. */
const QUICK_COST = 100_000;

/** An expression as it was compiled, or why it was not. */
export interface CompiledText {
  readonly text: string;
  readonly compiled: CelExpression | { readonly problem: string };
}

export function compileText(
  text: string,
  environment: Environment,
  types?: readonly Type[],
): CompiledText {
  const result = environment.compile(text);
  if (!result.ok) {
    const what = result.stage === "compilation" ? "compilation" : "program instantiation";
    return { text, compiled: { problem: `${what} failed: ${result.message}` } };
  }
  const { expression } = result;
  const got = printExactType(expression.outputType);
  const wanted = types?.map(printExactType);
  if (wanted === undefined || wanted.includes(got)) return { text, compiled: expression };
  const list = wanted.length === 1 ? wanted[0]! : `one of [${wanted.join(" ")}]`;
  return { text, compiled: { problem: `must evaluate to ${list} but got ${got}` } };
}

export class OutOfBudgetError extends Error {
  override readonly name: string = "OutOfBudgetError";
  readonly code = "out-of-budget";

  constructor() {
    super(
      "validation failed due to running out of cost budget, no further validation rules will be run",
    );
  }
}

export type ConditionResult = { readonly value: Value } | { readonly error: string };

export interface ConditionRunOptions {
  readonly bindings: Bindings;
  /** By name, in the order in which they are declared. */
  readonly variables?: ReadonlyMap<string, CompiledText> | undefined;
  readonly budget: number;
  readonly breathe: () => Promise<void>;
}

/** The expressions of a policy evaluated for one object, out of one budget. */
export class ConditionRun {
  readonly #bindings: Bindings;
  readonly #variables: Variables;
  readonly #breathe: () => Promise<void>;
  #budget: number;

  constructor({ bindings, variables = new Map(), budget, breathe }: ConditionRunOptions) {
    this.#variables = new Variables(variables, () => this.#bindings);
    this.#bindings = { ...bindings, variables: this.#variables };
    this.#budget = budget;
    this.#breathe = breathe;
  }

  /** What is left for others. */
  get budget(): number {
    return this.#budget;
  }

  /** Throws OutOfBudgetError. */
  async evaluate({ text, compiled }: CompiledText): Promise<ConditionResult> {
    if ("problem" in compiled) return { error: `compilation error: ${compiled.problem}` };
    const { value, error, cost } = await this.#outcomeOf(compiled);
    this.#spend(this.#variables.takeCost());
    this.#spend(cost);
    if (error !== undefined) return { error: `expression '${text}' resulted in error: ${error}` };
    return { value: value! };
  }

  async #outcomeOf(expression: CelExpression): Promise<Outcome> {
    for (;;) {
      try {
        return await outcomeOf(() =>
          expression.evaluateAsync(this.#bindings, {
            costLimit: PER_CALL_LIMIT,
            breathe: this.#breathe,
          }),
        );
      } catch (error) {
        if (!(error instanceof VariableNeeded)) throw error;
        // Not in the middle of an expression, which cannot wait: before it, and once.
        const needed = error.expression;
        this.#variables.set(error.variable, await this.#outcomeOf(needed));
      }
    }
  }

  #spend(cost: number): void {
    if (cost > this.#budget) throw new OutOfBudgetError();
    this.#budget -= cost;
  }
}

interface Outcome {
  readonly value?: Value;
  readonly error?: string;
  readonly cost: number;
}

async function outcomeOf(
  evaluate: () => Promise<{ readonly value: Value; readonly cost: number }>,
): Promise<Outcome> {
  try {
    return await evaluate();
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { error: error.message, cost: error.cost };
  }
}

/** A variable that takes a while has to be computed before the expression that mentions it. */
class VariableNeeded extends Error {
  override readonly name: string = "VariableNeeded";
  readonly code = "variable-needed";
  readonly variable: string;
  readonly expression: CelExpression;

  constructor(variable: string, expression: CelExpression) {
    super(`variable ${variable} is needed`);
    this.variable = variable;
    this.expression = expression;
  }
}

/** `variables`: each is computed when it is first mentioned, and once. */
class Variables implements MapValue {
  readonly celType: MapValue["celType"] = {
    kind: "object",
    name: "kubernetes.variables",
    fields: new Map(),
  };
  readonly #texts: ReadonlyMap<string, CompiledText>;
  readonly #bindings: () => Bindings;
  readonly #known = new Map<string, Value>();
  #cost = 0;

  constructor(texts: ReadonlyMap<string, CompiledText>, bindings: () => Bindings) {
    this.#texts = texts;
    this.#bindings = bindings;
  }

  get size(): number {
    return this.#texts.size;
  }

  keys(): Iterable<Value> {
    return this.#texts.keys();
  }

  find(key: Value): Value | undefined {
    const name = key as string;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const text = this.#texts.get(name);
    if (text === undefined) return undefined;
    const { compiled } = text;
    if ("problem" in compiled) {
      return new Failure(`composited variable "${name}" fails to compile: ${compiled.problem}`);
    }
    this.set(name, this.#quickly(name, compiled));
    return this.#known.get(name);
  }

  set(name: string, { value, error, cost }: Outcome): void {
    this.#cost += cost;
    const failure = `composited variable "${name}" fails to evaluate: ${error ?? ""}`;
    this.#known.set(name, error === undefined ? value! : new Failure(failure));
  }

  /** What variables have cost since this was last asked. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #quickly(name: string, expression: CelExpression): Outcome {
    try {
      return expression.evaluate(this.#bindings(), { costLimit: QUICK_COST, isQuick: true });
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      if (isTooLong(error)) throw new VariableNeeded(name, expression);
      return { error: error.message, cost: error.cost };
    }
  }
}

function isTooLong({ code }: EvaluationError): boolean {
  return code === "CostLimitExceeded" || code === "TakesLong";
}
