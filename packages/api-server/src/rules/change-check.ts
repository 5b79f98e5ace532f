import type { FieldError } from "@homeostat/object-model";
import { type ChangeRule, Place } from "@homeostat/schema";
import type { RuleContext } from "./type-rules.ts";

/** What a rule finds wrong with a change, as a strategy tells it: of a status, or of a second look. */
export function changeCheckOf<T>(
  rule: ChangeRule<T, RuleContext>,
): (object: Readonly<T>, old: Readonly<T>, context: RuleContext) => FieldError[] {
  return (value, old, context) => {
    const place = Place.root(context);
    rule({ value, old }, place);
    return place.errors;
  };
}
