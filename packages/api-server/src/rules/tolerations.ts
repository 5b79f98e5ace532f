/** Taints of nodes that a pod can live with. */
import { checkLabelValue } from "@homeostat/object-model";
import type { Toleration } from "@homeostat/object-model/core-v1";
import { eachLater, ifSet, type Place, type Rule } from "@homeostat/schema";
import { knownChoice } from "./checks/choices.ts";
import { labelKey } from "./checks/label-selectors.ts";

const taintEffect: Rule<string> = knownChoice("NoSchedule", "PreferNoSchedule", "NoExecute");

const toleration: Rule<Toleration> = (value, place) => {
  const { key = "", operator = "", effect = "", tolerationSeconds } = value ?? {};
  ifSet(labelKey)(key, place.child("key"));
  if (key === "" && operator !== "Exists") {
    const why =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    place.child("operator").invalid(operator, why);
  }
  if (tolerationSeconds !== undefined && effect !== "NoExecute") {
    const why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    place.child("effect").invalid(effect, why);
  }
  checkOperator(value ?? {}, place.child("operator"));
  ifSet(taintEffect)(effect, place.child("effect"));
};

/** What is wrong with the value is told at the operator too. */
function checkOperator({ operator = "", value = "" }: Toleration, place: Place): void {
  switch (operator) {
    case "":
    case "Equal": {
      const problems = checkLabelValue(value);
      if (problems.length > 0) place.invalid(value, problems.join(";"));
      return;
    }
    case "Exists":
      if (value !== "") place.invalid(value, "value must be empty when `operator` is 'Exists'");
      return;
    case "Gt":
    case "Lt":
      // Known, and not enabled.
      return place.notSupported(operator, ["Equal", "Exists", "Lt", "Gt"]);
    default:
      return place.notSupported(operator, ["Equal", "Exists"]);
  }
}

export const tolerationsRule: Rule<readonly Toleration[]> = eachLater(toleration);
