import { type Place, qualifiedName, type Rule } from "@homeostat/schema";
import { upTo } from "../checks/bounded-lists.ts";

const MAX_CONDITIONS = 4;

interface BindingConditions {
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
}

const names = upTo(MAX_CONDITIONS, qualifiedName);

/** Conditions that have to be true before a device is used, and those that say it never will. */
export const bindingConditions: Rule<BindingConditions> = (device, place) => {
  const { bindingConditions: success = [], bindingFailureConditions: failure = [] } = device ?? {};
  const [successAt, failureAt] = [
    place.child("bindingConditions"),
    place.child("bindingFailureConditions"),
  ];
  names(success, successAt);
  names(failure, failureAt);
  checkDoubles(success, successAt, []);
  checkDoubles(failure, failureAt, success);
  if (success.length === 0 && failure.length > 0) {
    const why = "bindingConditions are required to use bindingFailureConditions";
    successAt.invalid(device?.bindingConditions ?? null, why);
  }
  if (failure.length === 0 && success.length > 0) {
    const why = "bindingFailureConditions are required to use bindingConditions";
    failureAt.invalid(device?.bindingFailureConditions ?? null, why);
  }
};

function checkDoubles(list: readonly string[], place: Place, others: readonly string[]): void {
  const seen = new Set<string>();
  for (const [index, condition] of list.entries()) {
    const at = place.index(index);
    if (seen.has(condition)) at.duplicate(condition);
    seen.add(condition);
    if (others.includes(condition)) {
      at.invalid(condition, "bindingFailureConditions must not overlap with bindingConditions");
    }
  }
}
