/** What policies that validate and policies that change objects have in common. */
import type {
  MatchResources,
  ParamKind,
  Variable,
} from "@homeostat/object-model/admissionregistration-v1";
import type { Rule } from "@homeostat/schema";
import { sameForm } from "../../resources/internal-form.ts";
import { compiledType } from "../checks/cel-texts.ts";
import { matchConditions } from "./match-conditions.ts";
import { matchResources, paramKind } from "./match-resources.ts";
import { type PolicyExpressions, trimmed } from "./policy-expressions.ts";
import { failurePolicy } from "./webhooks.ts";

/** What both specs hold. */
export interface PolicySpec {
  readonly failurePolicy?: string;
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly { name: string; expression: string }[];
  readonly variables?: readonly Variable[];
}

export interface PolicyFacts {
  /** Conditions are as they were, and so is what they may speak of. */
  readonly sameConditions: boolean;
}

export function factsOfPolicyChange(
  spec: PolicySpec | undefined,
  old: PolicySpec | undefined,
): PolicyFacts {
  return {
    sameConditions:
      sameForm(spec?.paramKind ?? null, old?.paramKind ?? null) &&
      sameForm(spec?.matchConditions ?? null, old?.matchConditions ?? null),
  };
}

/** Everything up to the variables. `more` are rules of the constraints. */
export function policyHead(
  { sameConditions }: PolicyFacts,
  more?: Rule<MatchResources>,
): Rule<PolicySpec> {
  return (spec, place) => {
    const at = place.child("failurePolicy");
    if (spec?.failurePolicy === undefined) at.required();
    else failurePolicy(spec.failurePolicy, at);
    const params = spec?.paramKind;
    if (params !== undefined) paramKind(params, place.child("paramKind"));
    const constraints = spec?.matchConstraints;
    const constraintsAt = place.child("matchConstraints");
    if (constraints === undefined) constraintsAt.required();
    else {
      matchResources(constraints, constraintsAt);
      // Rules say what types the objects have.
      if (!constraints.resourceRules?.length) constraintsAt.child("resourceRules").required();
      more?.(constraints, constraintsAt);
    }
    if (sameConditions) return;
    const conditions = matchConditions({ params: params !== undefined });
    conditions(spec?.matchConditions, place.child("matchConditions"));
  };
}

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const RESERVED: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

/** Each is known to the expressions after it. */
export function variablesOf(
  expressions: PolicyExpressions,
  params: boolean,
): Rule<readonly Variable[]> {
  return (variables, place) => {
    for (const [index, variable] of (variables ?? []).entries()) {
      const name = variable?.name ?? "";
      const text = variable?.expression ?? "";
      const at = place.index(index);
      const nameAt = at.child("name");
      if (trimmed(name) === "") nameAt.required("name is not specified");
      else if (!IDENTIFIER.test(name) || RESERVED.has(name)) {
        nameAt.invalid(name, "must be a valid CEL identifier");
      }
      const expressionAt = at.child("expression");
      if (trimmed(text) === "") {
        expressionAt.required("expression is not specified");
        continue;
      }
      const environment = expressions.environment({ params, authorizer: true });
      expressions.declare(name, compiledType(environment, { text, shown: text }, expressionAt));
    }
  };
}
