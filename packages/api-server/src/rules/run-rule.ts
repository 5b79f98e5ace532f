/** Rules where something else than a whole new object is looked at: status updates, second looks. */
import type { FieldError } from "@homeostat/object-model";
import { type ChangeRule, Place, type Rule } from "@homeostat/schema";
import type { RuleContext } from "./type-rules.ts";

/** What a rule finds wrong, as a strategy tells it. */
export function checkOf<T>(
  rule: Rule<T, RuleContext>,
): (object: Readonly<T>, context: RuleContext) => FieldError[] {
  return (object, context) => {
    const place = Place.root(context);
    rule(object, place);
    return place.errors;
  };
}

/** The same for changes. */
export function changeCheckOf<T>(
  rule: ChangeRule<T, RuleContext>,
): (object: Readonly<T>, old: Readonly<T>, context: RuleContext) => FieldError[] {
  return (value, old, context) => {
    const place = Place.root(context);
    rule({ value, old }, place);
    return place.errors;
  };
}
