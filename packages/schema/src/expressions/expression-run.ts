import {
  type Bindings,
  type CelExpression,
  EvaluationError,
  Optional,
  type Value,
  valueOf,
} from "@homeostat/cel";
import { FieldError, FieldPath, type JsonValue } from "@homeostat/object-model";
import { goQuoted, sortKeys } from "../validation/shown-value.ts";
import type { CompiledRule } from "./compile-rule.ts";
import { checkMessage, ruleMessage, ruleText } from "./rule-message.ts";
import type { OwnRules } from "./rule-tree.ts";
import type { RuleVisit } from "./rule-visits.ts";

/** What became of evaluating an expression. */
interface Outcome {
  readonly value?: Value;
  readonly cost: number;
  /** Why there is no value. */
  readonly problem?: string;
}

/** Evaluations that may have to wait: yields promises of outcomes and is resumed with them. */
export type Steps<T> = Generator<Promise<Outcome>, T, Outcome>;

/** What a turn brings that nothing was evaluated in. */
const RESTED: Outcome = { cost: 0 };

/** Units of cost for one rule. */
const CALL_LIMIT = 1_000_000;

/** Units that are evaluated without giving others a turn. */
const QUICK_LIMIT = 20_000;

/** And how many in all, one rule after the other, with so many for what each takes besides. */
const UNITS_PER_TURN = 20_000;
const UNITS_PER_RULE = 100;
const UNITS_PER_MICROSECOND = 10;
const FAILURE_UNITS = 1_000;

const OUT_OF_BUDGET =
  "validation failed due to running out of cost budget, no further validation rules will be run";

/** The rules of one object, asked one after the other. */
export class ExpressionRun {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  #remaining: number;
  readonly #breathe: () => Promise<void>;
  /** Units since others had a turn. */
  #units = 0;

  constructor(budget: number, breathe: () => Promise<void>) {
    this.#remaining = budget;
    this.#breathe = breathe;
  }

  /** Units of cost that are left. Negative where they were not enough: then nothing more is asked. */
  get remaining(): number {
    return this.#remaining;
  }

  *ask(visit: RuleVisit): Steps<void> {
    const { tree, path } = visit;
    const { own } = tree;
    if (own.rules.length === 0) return;
    if (this.#remaining <= 0) {
      this.#giveUp(FieldError.invalid(path, tree.schema.type, OUT_OF_BUDGET));
      return;
    }
    const bindings = bindingsOf(visit, own);
    for (const rule of own.rules) {
      yield* this.#askRule(rule, visit, bindings);
      if (this.#remaining < 0) return;
    }
  }

  *#askRule(rule: CompiledRule, visit: RuleVisit, bindings: RuleBindings): Steps<void> {
    const { tree, old, path } = visit;
    const refuse = (detail: string) => FieldError.invalid(path, tree.schema.type, detail);
    if (rule.problem !== undefined) {
      this.errors.push(refuse(`rule compile error: ${rule.problem}`));
      return;
    }
    if (rule.expression === undefined) return;
    const isOptional = rule.source.optionalOldSelf === true;
    if (rule.usesOldSelf && old === undefined && !isOptional) return;
    const outcome = yield* this.#evaluate(
      rule.expression,
      isOptional ? bindings.optional : bindings.plain,
    );
    if (outcome.cost > this.#remaining) {
      this.#giveUp(refuse(OUT_OF_BUDGET));
      return;
    }
    this.#remaining -= outcome.cost;
    if (outcome.problem !== undefined) {
      this.#addFailure(outcome.problem, rule, refuse);
    } else if (outcome.value !== true) {
      yield* this.#refuse(rule, visit, bindings);
    }
  }

  #addFailure(problem: string, rule: CompiledRule, refuse: (detail: string) => FieldError): void {
    const text = ruleText(rule.source);
    if (problem.startsWith("no such overload")) {
      const why = "call arguments did not match a supported operator, function or macro signature";
      this.errors.push(refuse(`'${problem}': ${why} for rule: ${text}`));
    } else if (problem.startsWith(LIMIT_EXCEEDED)) {
      const why = "no further validation rules will be run due to call cost exceeds limit";
      this.#giveUp(refuse(`'${problem}': ${why} for rule: ${text}`));
    } else {
      this.errors.push(refuse(`${problem} evaluating rule: ${text}`));
    }
  }

  *#refuse(rule: CompiledRule, visit: RuleVisit, bindings: RuleBindings): Steps<void> {
    const path = rule.fieldPath === "" ? visit.path : childOf(visit.path, rule.fieldPath);
    const add = (error: FieldError) => {
      if (!rule.usesOldSelf && visit.isUnchanged()) this.warnings.push(String(error));
      else this.errors.push(error);
    };
    let detail: string | undefined;
    if (rule.messageExpression !== undefined) {
      const outcome = yield* this.#evaluate(rule.messageExpression, bindings.plain);
      const problem = this.#budgetProblem(rule, outcome);
      if (problem !== undefined) {
        add(FieldError.invalid(path, visit.tree.schema.type, problem));
        this.#remaining = -1;
        return;
      }
      this.#remaining -= outcome.cost;
      detail = checkMessage(outcome.value);
    }
    add(refusal(rule, { path, value: visit.value, type: visit.tree.schema.type, detail }));
  }

  #budgetProblem(rule: CompiledRule, outcome: Outcome): string | undefined {
    if (outcome.cost > this.#remaining) {
      return "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
    }
    if (!outcome.problem?.startsWith(LIMIT_EXCEEDED)) return undefined;
    const text = goQuoted(rule.source.messageExpression ?? "");
    return `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${text}`;
  }

  #giveUp(error: FieldError): void {
    this.errors.push(error);
    this.#remaining = -1;
  }

  /** For work that is no evaluation, in units. */
  *rest(units: number): Steps<void> {
    this.#units += units;
    if (this.#units < UNITS_PER_TURN) return;
    this.#units = 0;
    yield this.#breathe().then(() => RESTED);
  }

  *#evaluate(expression: CelExpression, bindings: Bindings): Steps<Outcome> {
    if (this.#units >= UNITS_PER_TURN) yield* this.rest(0);
    this.#units += UNITS_PER_RULE;
    try {
      const outcome = expression.evaluate(bindings, { costLimit: QUICK_LIMIT, isQuick: true });
      this.#units += outcome.cost + outcome.work * UNITS_PER_MICROSECOND;
      return outcome;
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      if (error.code === "EvaluationFailed") {
        this.#units += error.cost + FAILURE_UNITS;
        return failed(error);
      }
    }
    this.#units = 0;
    return yield this.#evaluateSlowly(expression, bindings);
  }

  async #evaluateSlowly(expression: CelExpression, bindings: Bindings): Promise<Outcome> {
    const breathe = this.#breathe;
    await breathe();
    try {
      return await expression.evaluateAsync(bindings, { costLimit: CALL_LIMIT, breathe });
    } catch (error) {
      if (error instanceof EvaluationError) return failed(error);
      throw error;
    }
  }
}

const LIMIT_EXCEEDED = "operation cancelled: actual cost limit exceeded";

function failed(error: EvaluationError): Outcome {
  return { problem: error.message, cost: error.cost };
}

interface RuleBindings {
  readonly plain: Bindings;
  /** For rules whose old value may be missing. */
  readonly optional: Bindings;
}

function bindingsOf({ value, old }: RuleVisit, { type, useOldSelf }: OwnRules): RuleBindings {
  const self = valueOf(value, type!);
  if (!useOldSelf) return { plain: { self }, optional: { self } };
  if (old === undefined) return { plain: { self }, optional: { self, oldSelf: Optional.none } };
  const oldSelf = valueOf(old, type!);
  return { plain: { self, oldSelf }, optional: { self, oldSelf: new Optional(oldSelf) } };
}

function childOf(path: FieldPath | undefined, name: string): FieldPath {
  return path?.child(name) ?? FieldPath.of(name);
}

function refusal(
  { source }: CompiledRule,
  at: { path: FieldPath | undefined; value: JsonValue; type: string; detail: string | undefined },
): FieldError {
  const { path, value, type } = at;
  const detail = at.detail ?? ruleMessage(source);
  const place = path ?? FieldPath.of("<nil>");
  const isWhole = type === "object" || type === "array";
  switch (source.reason) {
    case "FieldValueForbidden":
      return FieldError.forbidden(place, detail);
    case "FieldValueRequired":
      return FieldError.required(place, detail);
    case "FieldValueDuplicate":
      return isWhole ? duplicateWhole(place) : FieldError.duplicate(place, sortKeys(value));
    default:
      return isWhole
        ? FieldError.invalidUnshown(path, detail)
        : FieldError.invalid(path, sortKeys(value), detail);
  }
}

function duplicateWhole(path: FieldPath): FieldError {
  const field = String(path);
  const body = "Duplicate value";
  return { type: "FieldValueDuplicate", field, body, toString: () => `${field}: ${body}` };
}
