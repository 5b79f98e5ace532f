import { checkLabelValue } from "@homeostat/object-model";
import type { DeviceTaint, DeviceToleration } from "@homeostat/object-model/resource-v1";
import { fields, ifSet, qualifiedName, type Rule, textIs } from "@homeostat/schema";
import { choice } from "../checks/choices.ts";

const EFFECTS = ["NoExecute", "NoSchedule", "None"];
const OPERATORS = ["Equal", "Exists"];

const labelValue = textIs(checkLabelValue);
const effect = choice(...EFFECTS);

export const deviceTaint: Rule<DeviceTaint> = fields<DeviceTaint>({
  key: qualifiedName,
  value: ifSet(labelValue),
  effect,
});

const operatorAndValue: Rule<DeviceToleration> = (toleration, place) => {
  const { operator = "", value = "" } = toleration ?? {};
  const at = place.child("value");
  if (operator === "Exists") {
    if (value !== "") at.invalid(value, "must be empty for operator `Exists`");
  } else if (operator === "Equal") labelValue(value, at);
  else choice(...OPERATORS)(operator, place.child("operator"));
};

/** Of no key and no effect: of all of them. */
export const deviceToleration: Rule<DeviceToleration> = (toleration, place) => {
  ifSet(qualifiedName)(toleration?.key, place.child("key"));
  operatorAndValue(toleration, place);
  ifSet(effect)(toleration?.effect, place.child("effect"));
};
