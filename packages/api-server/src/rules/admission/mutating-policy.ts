import { type Environment, listOf, type Type } from "@homeostat/cel";
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicySpec,
  Mutation,
} from "@homeostat/object-model/admissionregistration-v1";
import { type ChangeRule, each, type Place, type Rule } from "@homeostat/schema";
import { requiredThen } from "../checks/required-then.ts";
import { mutatingOperations } from "./match-resources.ts";
import { JSON_PATCH, OBJECT } from "./mutation-types.ts";
import { checkExpression, PolicyExpressions, trimmed } from "./policy-expressions.ts";
import { factsOfPolicyChange, type PolicyFacts, policyHead, variablesOf } from "./policy-parts.ts";
import { reinvocationPolicy } from "./webhooks.ts";

/** How a change is written, by the name of its type: the field that holds it, and what it has to be. */
const FORMS: ReadonlyMap<string, { readonly field: keyof Mutation; readonly type: Type }> = new Map(
  [
    ["ApplyConfiguration", { field: "applyConfiguration", type: OBJECT }],
    ["JSONPatch", { field: "jsonPatch", type: listOf(JSON_PATCH) }],
  ],
);

function mutationRule(environment: Environment): Rule<Mutation> {
  return (mutation, place) => {
    const patchType = mutation?.patchType ?? "";
    if (patchType === "") return place.child("patchType").required();
    const form = FORMS.get(patchType);
    if (form === undefined) {
      return place.child("patchType").notSupported(patchType, [...FORMS.keys()]);
    }
    const given = mutation?.[form.field] as { expression?: string } | undefined;
    const at = place.child(form.field);
    if (given === undefined) at.required(`must be specified when patchType is ${patchType}`);
    else checkText(given.expression, at.child("expression"), { environment, type: form.type });
    for (const { field } of FORMS.values()) {
      if (field === form.field || mutation?.[field] === undefined) continue;
      const why = `must not be specified when patchType is ${patchType}`;
      place.child(field).invalid(`{${field}}`, why);
    }
  };
}

function checkText(
  expression: string | undefined,
  place: Place,
  { environment, type }: { readonly environment: Environment; readonly type: Type },
): void {
  const text = trimmed(expression ?? "");
  if (text === "") place.required();
  else checkExpression(text, place, { environment, types: [type] });
}

const reinvocation = requiredThen(reinvocationPolicy);

function policyRule(facts: PolicyFacts): Rule<MutatingAdmissionPolicy> {
  const head = policyHead(facts, mutatingOperations);
  return (policy, place) => {
    const spec: Partial<MutatingAdmissionPolicySpec> = policy?.spec ?? {};
    const at = place.child("spec");
    head(spec, at);
    const expressions = new PolicyExpressions({ composed: true });
    const params = spec.paramKind !== undefined;
    variablesOf(expressions, params)(spec.variables, at.child("variables"));
    const { mutations = [] } = spec;
    const mutationsAt = at.child("mutations");
    if (mutations.length === 0) mutationsAt.required("mutations must contain at least one item");
    const environment = expressions.environment({ params, authorizer: true, patches: true });
    each(mutationRule(environment))(mutations, mutationsAt);
    reinvocation(spec.reinvocationPolicy, at.child("reinvocationPolicy"));
  };
}

export const mutatingPolicy: Rule<MutatingAdmissionPolicy> = policyRule({ sameConditions: false });

export const mutatingPolicyChange: ChangeRule<MutatingAdmissionPolicy> = ({ value, old }, place) =>
  policyRule(factsOfPolicyChange(value?.spec, old?.spec))(value, place);
