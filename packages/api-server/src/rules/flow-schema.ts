/** Flow schemas. */
import type {
  FlowDistinguisherMethod,
  FlowSchema,
  FlowSchemaSpec,
  PriorityLevelConfigurationReference,
} from "@homeostat/object-model/flowcontrol-v1";
import {
  type ChangeRule,
  dns1123Subdomain,
  each,
  fields,
  ifPresent,
  type Rule,
} from "@homeostat/schema";
import { internalForm, sameInternal } from "../resources/internal-form.ts";
import { EXEMPT, mandatorySchemas } from "./flow-control/mandatory-objects.ts";
import { policyRules } from "./flow-control/policy-rules.ts";
import { typedConditions } from "./flow-control/typed-conditions.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

const MAX_PRECEDENCE = 10_000;

export const flowSchemaRules: readonly NamedTypeRules[] = [
  rulesFor<FlowSchema>("flowcontrol.v1.FlowSchema", {
    validate: (schema, place) => flowSchema(schema, place),
    validateChange: ({ value }, place) => flowSchema(value, place),
  }),
  rulesFor<FlowSchemaSpec>("flowcontrol.v1.FlowSchemaSpec", {
    defaults: { matchingPrecedence: 1000 },
  }),
];

/** The first place belongs to one schema. */
function precedenceOf(name: string): Rule<number> {
  return (value = 0, place) => {
    if (value <= 0) place.invalid(value, "must be a positive value");
    if (value > MAX_PRECEDENCE) place.invalid(value, `must not be greater than ${MAX_PRECEDENCE}`);
    if (value === 1 && name !== EXEMPT) {
      place.invalid(value, "only the schema named 'exempt' may have matchingPrecedence 1");
    }
  };
}

const METHODS = ["ByNamespace", "ByUser"];

/** Kubernetes shows the whole method. */
const method: Rule<FlowDistinguisherMethod> = (value, place) => {
  if (METHODS.includes(value?.type ?? "")) return;
  const shown = internalForm("flowcontrol.FlowDistinguisherMethod", value);
  place.child("type").notSupported(shown, METHODS);
};

const levelName: Rule<string> = (value, place) => {
  if (value) dns1123Subdomain(value, place);
  else place.required("must reference a priority level");
};

const spec = fields<FlowSchemaSpec>({
  distinguisherMethod: ifPresent(method),
  priorityLevelConfiguration: fields<PriorityLevelConfigurationReference>({ name: levelName }),
  rules: each(policyRules),
});

const flowSchema: Rule<FlowSchema, RuleContext> = (schema, place) => {
  const name = schema?.metadata?.name ?? "";
  const at = place.child("spec");
  precedenceOf(name)(schema?.spec?.matchingPrecedence, at.child("matchingPrecedence"));
  spec(schema?.spec, at);
  const fixed = mandatorySchemas.get(name);
  if (fixed !== undefined && !sameInternal("flowcontrol.FlowSchemaSpec", schema?.spec, fixed)) {
    const shown = internalForm("flowcontrol.FlowSchemaSpec", schema?.spec);
    at.invalid(shown, `spec of '${name}' must equal the fixed value`);
  }
  conditionsOf(schema, place);
};

const conditionsOf: Rule<FlowSchema> = (schema, place) =>
  typedConditions(schema?.status?.conditions, place.child("status").child("conditions"));

export const flowSchemaStatusChange: ChangeRule<FlowSchema, RuleContext> = ({ value }, place) =>
  conditionsOf(value, place);
