/** How fast an autoscaler may scale in one direction. */
import type { HPAScalingPolicy, HPAScalingRules } from "@homeostat/object-model/autoscaling-v2";
import { each, fields, ifPresent, type Rule } from "@homeostat/schema";
import { knownChoice, optionalChoice } from "../checks/choices.ts";
import { nonNegativeQuantity } from "../checks/quantities.ts";

const MAX_PERIOD = 1800;
const MAX_WINDOW = 3600;

const aboveZero: Rule<number> = (value = 0, place) => {
  if (value <= 0) place.invalid(value, "must be greater than zero");
};

function atMost(max: number): Rule<number> {
  return (value = 0, place) => {
    if (value > max) place.invalid(value, `must be less than or equal to ${max}`);
  };
}

const window: Rule<number> = (value = 0, place) => {
  if (value < 0) place.invalid(value, "must be greater than or equal to zero");
  atMost(MAX_WINDOW)(value, place);
};

const policy = fields<HPAScalingPolicy>({
  type: knownChoice("Percent", "Pods"),
  value: aboveZero,
  periodSeconds: [aboveZero, atMost(MAX_PERIOD)],
});

const policies: Rule<readonly HPAScalingPolicy[]> = (list, place) => {
  if ((list ?? []).length === 0) place.required("must specify at least one Policy");
  each(policy)(list, place);
};

export const scalingRules: Rule<HPAScalingRules> = fields<HPAScalingRules>({
  stabilizationWindowSeconds: window,
  selectPolicy: optionalChoice("Disabled", "Max", "Min"),
  policies,
  tolerance: ifPresent(nonNegativeQuantity),
});
