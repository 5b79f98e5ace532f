/** When an indexed job has succeeded before all of its indexes have. */
import { FieldError } from "@homeostat/object-model";
import type { JobSpec, SuccessPolicyRule } from "@homeostat/object-model/batch-v1";
import { each, nonNegative, type Place, type Rule } from "@homeostat/schema";
import { countIndexes } from "./completion-indexes.ts";
import { atMostItems } from "./pod-failure-policy.ts";

const MAX_RULES = 20;
const MAX_INDEXES_BYTES = 64 * 1024;

export function successPolicy(spec: Readonly<JobSpec>, place: Place): void {
  const rules = spec.successPolicy?.rules ?? [];
  const at = place.child("rules");
  if (rules.length === 0) {
    at.required("at least one rules must be specified when the successPolicy is specified");
  }
  atMostItems(MAX_RULES)(rules, at);
  each(policyRule(spec.completions ?? 0))(rules, at);
}

function policyRule(completions: number): Rule<SuccessPolicyRule> {
  return (rule, place) => {
    const { succeededCount, succeededIndexes } = rule ?? {};
    if (succeededCount === undefined && succeededIndexes === undefined) {
      place.required("at least one of succeededCount or succeededIndexes must be specified");
    }
    let total = 0;
    if (succeededIndexes !== undefined) {
      const at = place.child("succeededIndexes");
      if (Buffer.byteLength(succeededIndexes) > MAX_INDEXES_BYTES && at.path !== undefined) {
        at.add(FieldError.tooLong(at.path, MAX_INDEXES_BYTES));
      }
      const count = countIndexes(succeededIndexes, completions);
      ({ total } = count);
      if (count.problem !== undefined) {
        at.invalid(succeededIndexes, `error parsing succeededIndexes: ${count.problem}`);
      }
    }
    if (succeededCount === undefined) return;
    const at = place.child("succeededCount");
    nonNegative(succeededCount, at);
    if (succeededCount > completions) {
      const why = `must be less than or equal to ${completions} (the number of specified completions)`;
      at.invalid(succeededCount, why);
    }
    if (succeededIndexes !== undefined && succeededCount > total) {
      const why = `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`;
      at.invalid(succeededCount, why);
    }
  };
}
