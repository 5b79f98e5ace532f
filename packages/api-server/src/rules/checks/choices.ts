/** Texts out of a closed set. Messages list what is known in the order given here. */
import type { Rule } from "@homeostat/schema";

/** Has to be there. */
export function choice(...known: readonly string[]): Rule<string> {
  return (value = "", place) => {
    if (value === "") place.required();
    else if (!known.includes(value)) place.notSupported(value, known);
  };
}

/** May be absent; "" is a value like any other, and not one of them. */
export function optionalChoice(...known: readonly string[]): Rule<string> {
  return (value, place) => {
    if (value !== undefined && !known.includes(value)) place.notSupported(value, known);
  };
}

/** Absent reads as "", which is not one of them. */
export function knownChoice(...known: readonly string[]): Rule<string> {
  return (value = "", place) => {
    if (!known.includes(value)) place.notSupported(value, known);
  };
}
