import { isZero, type Rule } from "@homeostat/schema";

/** Has to be there; only then the other rules look at it. */
export function requiredThen<V, C = unknown>(...rules: readonly Rule<V, C>[]): Rule<V, C> {
  return (value, place) => {
    if (isZero(value)) place.required();
    else for (const rule of rules) rule(value, place);
  };
}
