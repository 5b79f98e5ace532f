/** Numbers of pods, absolute (`1`) or as a share of all (`25%`). */
import type { Rule } from "@homeostat/schema";

type IntOrPercent = string | number;

const PERCENT = /^[0-9]+%$/;

/** Not negative. */
export const intOrPercent: Rule<IntOrPercent> = (value = 0, place) => {
  if (typeof value === "number") {
    if (value < 0) place.invalid(value, "must be greater than or equal to 0");
  } else if (!PERCENT.test(value)) {
    place.invalid(
      value,
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    );
  }
};

export const atMost100Percent: Rule<IntOrPercent> = (value = 0, place) => {
  if ((percentOf(value) ?? 0) > 100) place.invalid(value, "must not be greater than 100%");
};

/** The number in it, whether or not it is a share; 0 for what is neither. */
export function numberOf(value: IntOrPercent = 0): number {
  const percent = percentOf(value);
  if (percent !== undefined) return percent;
  if (typeof value === "number") return value;
  // Text that is a number is one, as Go reads it.
  return /^[+-]?[0-9]+$/.test(value) ? Number(value) : 0;
}

function percentOf(value: IntOrPercent): number | undefined {
  return typeof value === "string" && PERCENT.test(value) ? Number(value.slice(0, -1)) : undefined;
}
