/** The named rules that most fields need; texts are those of Kubernetes' validation. */
import {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelKey,
  equalJson,
  type JsonValue,
} from "@homeostat/object-model";
import { type ChangeRule, isZero, type Rule } from "./rule.ts";

/** Not Go's zero value. */
export const required: Rule<unknown> = (value, place) => {
  if (isZero(value)) place.required();
};

export function requiredBecause(detail: string): Rule<unknown> {
  return (value, place) => {
    if (isZero(value)) place.required(detail);
  };
}

/** One of a closed set of texts. Absent reads as "". */
export function oneOf(...known: readonly string[]): Rule<string> {
  const listed = known.toSorted();
  return (value = "", place) => {
    if (!known.includes(value)) place.notSupported(value, listed);
  };
}

/** The problems that `check` finds with a text, each an error of its own. */
export function textIs(check: (text: string) => readonly string[]): Rule<string> {
  return (value = "", place) => {
    for (const problem of check(value)) place.invalid(value, problem);
  };
}

export const dns1123Label: Rule<string> = textIs(checkDns1123Label);
export const dns1123Subdomain: Rule<string> = textIs(checkDns1123Subdomain);
export const dns1035Label: Rule<string> = textIs(checkDns1035Label);
export const qualifiedName: Rule<string> = textIs(checkLabelKey);

export const nonNegative: Rule<number> = (value = 0, place) => {
  if (value < 0) place.invalid(value, "must be greater than or equal to 0");
};

export const positive: Rule<number> = (value = 0, place) => {
  if (value <= 0) place.invalid(value, "must be greater than 0");
};

/** Both ends are allowed. */
export function inRange(min: number, max: number): Rule<number> {
  return (value = 0, place) => {
    if (value < min || value > max) {
      place.invalid(value, `must be between ${min} and ${max}, inclusive`);
    }
  };
}

/** As it was. */
export const immutable: ChangeRule<JsonValue | object> = ({ value, old }, place) => {
  const same = equalJson(value ?? null, old ?? null);
  if (!same) place.invalid(value ?? null, "field is immutable");
};
