import type { Environment } from "@homeostat/cel";
import { type Bindings, BOOL } from "@homeostat/cel";
import type { MatchCondition } from "@homeostat/object-model/admissionregistration-v1";
import {
  CONDITIONS_BUDGET,
  type CompiledText,
  ConditionRun,
  compileText,
  OutOfBudgetError,
} from "./condition-run.ts";

/** What conditions say of a request: whether it is meant, or why that cannot be said. */
export type ConditionsVerdict = boolean | { readonly problem: string };

/** Conditions that all have to be true. */
export class MatchConditions {
  readonly #conditions: readonly CompiledText[];
  readonly #ignoresProblems: boolean;

  constructor(
    conditions: readonly MatchCondition[],
    environment: Environment,
    failurePolicy: string | undefined,
  ) {
    this.#conditions = conditions.map(({ expression }) =>
      compileText(expression, environment, [BOOL]),
    );
    this.#ignoresProblems = failurePolicy === "Ignore";
  }

  /** One that is false decides, whatever is wrong with others. */
  async judge(
    bindings: Bindings,
    options: {
      readonly breathe: () => Promise<void>;
      readonly variables?: ReadonlyMap<string, CompiledText> | undefined;
    },
  ): Promise<ConditionsVerdict> {
    const run = new ConditionRun({ bindings, budget: CONDITIONS_BUDGET, ...options });
    const problems: string[] = [];
    try {
      const results = [];
      for (const condition of this.#conditions) results.push(await run.evaluate(condition));
      for (const result of results) {
        if ("error" in result) problems.push(result.error);
        else if (result.value === false) return false;
      }
    } catch (error) {
      if (!(error instanceof OutOfBudgetError)) throw error;
      problems.push(error.message);
    }
    if (problems.length === 0) return true;
    return this.#ignoresProblems ? false : { problem: aggregated(problems) };
  }
}

/** As Go prints several errors: each text once. */
function aggregated(problems: readonly string[]): string {
  const distinct = [...new Set(problems)];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(", ")}]`;
}
