import { FieldPath } from "@homeostat/object-model";
import { Place, type Rule } from "@homeostat/schema";

/** Whether a rule finds anything wrong: with an old value, which then may stay as it is. */
export function isRefused<V>(rule: Rule<V>, value: V | undefined): boolean {
  const place = Place.root<unknown>(undefined, FieldPath.of("old"));
  rule(value, place);
  return place.errors.length > 0;
}
