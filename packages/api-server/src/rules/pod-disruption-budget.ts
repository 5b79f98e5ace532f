/** Pod disruption budgets. */
import type {
  PodDisruptionBudget,
  PodDisruptionBudgetSpec,
  PodDisruptionBudgetStatus,
} from "@homeostat/object-model/policy-v1";
import {
  all,
  type ChangeRule,
  fields,
  ifPresent,
  nonNegative,
  type Place,
  type Rule,
} from "@homeostat/schema";
import { internalForm } from "../resources/internal-form.ts";
import { optionalChoice } from "./checks/choices.ts";
import { conditions } from "./checks/conditions.ts";
import { atMost100Percent, intOrPercent } from "./checks/int-or-percent.ts";
import {
  hasInvalidLabelValue,
  labelSelector,
  labelSelectorOfAnyValues,
} from "./checks/label-selectors.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

export const podDisruptionBudgetRules: readonly NamedTypeRules[] = [
  rulesFor<PodDisruptionBudget>("policy.v1.PodDisruptionBudget", {
    validate: (budget, place) => newSpec(budget?.spec, place.child("spec")),
    validateChange({ value, old }, place) {
      const rule = hasInvalidLabelValue(old?.spec?.selector) ? changedSpec : newSpec;
      rule(value?.spec, place.child("spec"));
    },
  }),
];

const notBoth: Rule<PodDisruptionBudgetSpec> = (spec, place) => {
  if (spec?.minAvailable === undefined || spec.maxUnavailable === undefined) return;
  const shown = internalForm("policy.PodDisruptionBudgetSpec", spec);
  place.invalid(shown, "minAvailable and maxUnavailable cannot be both set");
};

const amount = ifPresent(intOrPercent, atMost100Percent);

function budgetSpec(selector: typeof labelSelector): Rule<PodDisruptionBudgetSpec> {
  return all(
    notBoth,
    fields<PodDisruptionBudgetSpec>({
      minAvailable: amount,
      maxUnavailable: amount,
      selector: ifPresent(selector),
      unhealthyPodEvictionPolicy: optionalChoice("AlwaysAllow", "IfHealthyBudget"),
    }),
  );
}

const newSpec = budgetSpec(labelSelector);
const changedSpec = budgetSpec(labelSelectorOfAnyValues);

const status = fields<PodDisruptionBudgetStatus>({
  conditions,
  disruptionsAllowed: nonNegative,
  currentHealthy: nonNegative,
  desiredHealthy: nonNegative,
  expectedPods: nonNegative,
});

export const disruptionBudgetStatusChange: ChangeRule<PodDisruptionBudget, RuleContext> = (
  { value },
  place: Place<RuleContext>,
) => status(value?.status, place.child("status"));
