import { BOOL } from "@homeostat/cel";
import { FieldError, FieldPath } from "@homeostat/object-model";
import type { MatchCondition } from "@homeostat/object-model/admissionregistration-v1";
import { fields, qualifiedName, type Rule } from "@homeostat/schema";
import { requiredThen } from "../checks/required-then.ts";
import { admissionEnvironment, checkExpression, trimmed } from "./policy-expressions.ts";

const MAX_CONDITIONS = 64;

/** Expressions that all have to be true of a request, before anything else is asked about it. */
export function matchConditions({
  params,
}: {
  readonly params: boolean;
}): Rule<readonly MatchCondition[]> {
  const condition = fields<MatchCondition>({
    expression: (value = "", place) => {
      const text = trimmed(value);
      if (text === "") return place.required();
      const environment = admissionEnvironment({ params, authorizer: true });
      checkExpression(text, place, { environment, types: [BOOL] });
    },
    name: requiredThen(qualifiedName),
  });
  return (conditions = [], place) => {
    if (conditions.length > MAX_CONDITIONS) {
      const path = place.path ?? FieldPath.of("");
      place.add(FieldError.tooMany(path, conditions.length, MAX_CONDITIONS));
    }
    const names = new Set<string>();
    for (const [index, value] of conditions.entries()) {
      const at = place.index(index);
      condition(value, at);
      const name = value?.name ?? "";
      if (name === "") continue;
      if (names.has(name)) at.child("name").duplicate(name);
      names.add(name);
    }
  };
}
