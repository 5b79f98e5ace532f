import type { Bindings, Environment } from "@homeostat/cel";
import type { KubernetesObject, ObjectMeta } from "@homeostat/object-model";
import { type KnownNames, PolicyExpressions } from "../../rules/admission/policy-expressions.ts";
import type { PolicySpec } from "../../rules/admission/policy-parts.ts";
import {
  type CompiledText,
  ConditionRun,
  compileText,
  EXPRESSION_BUDGET,
} from "../expressions/condition-run.ts";
import { type ConditionsVerdict, MatchConditions } from "../expressions/match-conditions.ts";
import { ResourceMatcher } from "../matching/resource-matcher.ts";

/** As much of a policy as both kinds have. */
export interface PolicyObject extends KubernetesObject {
  metadata: ObjectMeta;
  spec?: PolicySpec;
}

/** A policy made ready: what it is about, its variables and conditions. */
export class CompiledPolicy<Spec extends PolicySpec> {
  readonly name: string;
  readonly spec: Spec;
  readonly matcher: ResourceMatcher;
  readonly #expressions = new PolicyExpressions({ composed: true });
  #variables: ReadonlyMap<string, CompiledText> | undefined;
  #conditions: MatchConditions | undefined;

  constructor({ metadata }: PolicyObject, spec: Spec) {
    this.name = metadata.name ?? "";
    this.spec = spec;
    this.matcher = new ResourceMatcher(spec.matchConstraints ?? {});
  }

  get ignoresFailures(): boolean {
    return this.spec.failurePolicy === "Ignore";
  }

  get hasParams(): boolean {
    return this.spec.paramKind !== undefined;
  }

  /** The texts of variables, compiled; each knows those before it. */
  get variables(): ReadonlyMap<string, CompiledText> {
    if (this.#variables !== undefined) return this.#variables;
    const compiled = new Map<string, CompiledText>();
    for (const { name, expression } of this.spec.variables ?? []) {
      const environment = this.#expressions.environment(this.#names({ authorizer: true }));
      const text = compileText(expression, environment);
      const type = "problem" in text.compiled ? undefined : text.compiled.outputType;
      this.#expressions.declare(name, type);
      compiled.set(name, text);
    }
    this.#variables = compiled;
    return compiled;
  }

  /** For expressions that come after the variables. */
  environment(names: Omit<KnownNames, "params">): Environment {
    void this.variables;
    return this.#expressions.environment(this.#names(names));
  }

  run(
    bindings: Bindings,
    breathe: () => Promise<void>,
    budget: number = EXPRESSION_BUDGET,
  ): ConditionRun {
    return new ConditionRun({ bindings, variables: this.variables, budget, breathe });
  }

  async judgeConditions(
    bindings: Bindings,
    breathe: () => Promise<void>,
  ): Promise<ConditionsVerdict> {
    const { matchConditions = [], failurePolicy } = this.spec;
    if (matchConditions.length === 0) return true;
    const environment = this.environment({ authorizer: true });
    this.#conditions ??= new MatchConditions(matchConditions, environment, failurePolicy);
    return this.#conditions.judge(bindings, { breathe, variables: this.variables });
  }

  #names(names: Omit<KnownNames, "params">): KnownNames {
    return { params: this.hasParams, ...names };
  }
}
