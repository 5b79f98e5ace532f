/**
 * Asking the rules of a schema (`x-kubernetes-validations`) about a value. Every rule may cost so much
 * and all of them together ten times that; where a budget runs out the remaining rules are not asked
 * and the value is refused. Rules that take long give others a turn in between.
 */
import type { FieldError, FieldPath, JsonValue } from "@homeostat/object-model";
import { Correlation } from "../validation/correlation.ts";
import { ExpressionRun } from "./expression-run.ts";
import type { RuleTree } from "./rule-tree.ts";
import { PLACES_PER_PAUSE, ruleVisits } from "./rule-visits.ts";

export interface ExpressionOptions {
  /** Awaited now and then where evaluating takes long. */
  readonly breathe: () => Promise<void>;
  /** Units of cost for all rules together. Default EXPRESSION_BUDGET. */
  readonly budget?: number;
  /** Where in the object the value stands. Default: it is the object. */
  readonly path?: FieldPath;
  /** Whether what did not change may stay invalid. Default true. */
  readonly ratchets?: boolean;
}

export interface ExpressionResult {
  readonly errors: FieldError[];
  /** Errors that are only told, because the value was as wrong before. */
  readonly warnings: string[];
  /** Units of cost that are left; negative where they were not enough. */
  readonly remaining: number;
}

/** Units of cost for the rules of one object. */
export const EXPRESSION_BUDGET = 10_000_000;

/** What looking at places between two pauses takes, in units of cost. */
const PAUSE_UNITS: number = PLACES_PER_PAUSE * 20;

/** `tree` undefined: there are no rules. */
export async function validateExpressions(
  change: { readonly value: JsonValue; readonly old: JsonValue | undefined },
  tree: RuleTree | undefined,
  options: ExpressionOptions,
): Promise<ExpressionResult> {
  const { value, old } = change;
  const run = new ExpressionRun(options.budget ?? EXPRESSION_BUDGET, options.breathe);
  if (tree === undefined) return run;
  const ratchets = old !== undefined && (options.ratchets ?? true);
  const correlation = ratchets ? new Correlation(value, old, tree.schema) : undefined;
  for (const visit of ruleVisits(tree, { value, old, correlation, path: options.path })) {
    const steps = visit === undefined ? run.rest(PAUSE_UNITS) : run.ask(visit);
    let step = steps.next();
    // Only what takes long is worth a promise.
    while (step.done !== true) step = steps.next(await step.value);
    if (run.remaining < 0) break;
  }
  return run;
}
