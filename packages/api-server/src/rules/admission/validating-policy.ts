import { BOOL, NULL, STRING } from "@homeostat/cel";
import type {
  AuditAnnotation,
  ExpressionWarning,
  TypeChecking,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  ValidatingAdmissionPolicyStatus,
  Validation,
} from "@homeostat/object-model/admissionregistration-v1";
import {
  type ChangeRule,
  each,
  fields,
  ifPresent,
  oneOf,
  type Place,
  qualifiedName,
  type Rule,
  required,
} from "@homeostat/schema";
import { conditions } from "../checks/conditions.ts";
import { problemWithJsonPath } from "../checks/json-paths.ts";
import { checkExpression, PolicyExpressions, trimmed } from "./policy-expressions.ts";
import { factsOfPolicyChange, type PolicyFacts, policyHead, variablesOf } from "./policy-parts.ts";

const MAX_ANNOTATIONS = 20;
const MAX_VALUE_EXPRESSION_BYTES = 5 * 1024;
const ONE_NEEDED = "validations or auditAnnotations must contain at least one item";

interface PolicyScope {
  readonly expressions: PolicyExpressions;
  readonly params: boolean;
}

const reason = ifPresent(oneOf("Forbidden", "Invalid", "RequestEntityTooLarge"));

function validationRule({ expressions, params }: PolicyScope): Rule<Validation> {
  return fields<Validation>({
    expression: (text = "", place) => {
      if (trimmed(text) === "") return place.required("expression is not specified");
      const environment = expressions.environment({ params, authorizer: true });
      checkExpression(text, place, { environment, types: [BOOL] });
    },
    messageExpression: (text = "", place) => {
      if (text === "") return;
      if (trimmed(text) === "") return place.invalid(text, "must be non-empty if specified");
      const environment = expressions.environment({ params, authorizer: false });
      checkExpression(text, place, { environment, types: [STRING] });
    },
    message: (text = "", place) => {
      const shown = trimmed(text);
      if (text !== "" && shown === "") place.invalid(text, "must be non-empty if specified");
      else if (/[\n\r]/.test(shown)) place.invalid(text, "must not contain line breaks");
    },
    reason,
  });
}

function checkAnnotations(
  annotations: readonly Partial<AuditAnnotation>[],
  place: Place,
  { expressions, params, policy }: PolicyScope & { readonly policy: string },
): void {
  if (annotations.length > MAX_ANNOTATIONS) {
    const shown = annotations.map(({ key = "", valueExpression = "" }) => {
      return { Key: key, ValueExpression: valueExpression };
    });
    place.invalid(shown, `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`);
  }
  const keys = new Set<string>();
  for (const [index, { key = "", valueExpression = "" }] of annotations.entries()) {
    const at = place.index(index);
    const keyAt = at.child("key");
    if (policy === "") keyAt.invalid(key, "requires metadata.name be non-empty");
    else qualifiedName(`${policy}/${key}`, keyAt);
    const environment = expressions.environment({ params, authorizer: true });
    checkValueExpression(valueExpression, at.child("valueExpression"), environment);
    if (keys.has(key)) keyAt.duplicate(key);
    keys.add(key);
  }
}

function checkValueExpression(
  shown: string,
  place: Place,
  environment: ReturnType<PolicyExpressions["environment"]>,
): void {
  const text = trimmed(shown);
  if (text === "") return place.required("valueExpression is not specified");
  if (Buffer.byteLength(text) > MAX_VALUE_EXPRESSION_BYTES) {
    return place.required(`must not exceed ${MAX_VALUE_EXPRESSION_BYTES} bytes in length`);
  }
  checkExpression(text, place, { environment, types: [STRING, NULL], shown });
}

function policyRule(facts: PolicyFacts): Rule<ValidatingAdmissionPolicy> {
  return (policy, place) => {
    const spec: Partial<ValidatingAdmissionPolicySpec> = policy?.spec ?? {};
    const at = place.child("spec");
    policyHead(facts)(spec, at);
    const { variables = [], validations = [], auditAnnotations = [] } = spec;
    const scope = {
      expressions: new PolicyExpressions({ composed: variables.length > 0 }),
      params: spec.paramKind !== undefined,
      policy: policy?.metadata?.name ?? "",
    };
    variablesOf(scope.expressions, scope.params)(variables, at.child("variables"));
    if (validations.length === 0 && auditAnnotations.length === 0) {
      at.child("validations").required(ONE_NEEDED);
      at.child("auditAnnotations").required(ONE_NEEDED);
      return;
    }
    each(validationRule(scope))(validations, at.child("validations"));
    checkAnnotations(auditAnnotations, at.child("auditAnnotations"), scope);
  };
}

export const validatingPolicy: Rule<ValidatingAdmissionPolicy> = policyRule({
  sameConditions: false,
});

export const validatingPolicyChange: ChangeRule<ValidatingAdmissionPolicy> = (
  { value, old },
  place,
) => policyRule(factsOfPolicyChange(value?.spec, old?.spec))(value, place);

const fieldRef: Rule<string> = (value = "", place) => {
  const path = trimmed(value);
  if (path === "") return place.required();
  const problem = problemWithJsonPath(`{${path}}`);
  if (problem !== undefined) place.invalid(path, `invalid JSONPath: ${problem}`);
};

const policyStatus = fields<ValidatingAdmissionPolicyStatus>({
  typeChecking: fields<TypeChecking>({
    expressionWarnings: each(fields<ExpressionWarning>({ warning: required, fieldRef })),
  }),
  conditions,
});

export const validatingPolicyStatusChange: ChangeRule<ValidatingAdmissionPolicy> = (
  { value },
  place,
) => policyStatus(value?.status, place.child("status"));
