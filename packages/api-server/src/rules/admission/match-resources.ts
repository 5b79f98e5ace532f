import {
  checkDns1035Label,
  checkDns1123Subdomain,
  checkPathSegmentName,
} from "@homeostat/object-model";
import type {
  MatchResources,
  ParamKind,
  ParamRef,
} from "@homeostat/object-model/admissionregistration-v1";
import { each, fields, oneOf, type Rule } from "@homeostat/schema";
import { labelSelector } from "../checks/label-selectors.ts";
import { namedRuleWithOperations } from "./match-rules.ts";

/** Operations in which an object can be changed. */
const MUTATING_OPERATIONS = ["*", "CONNECT", "CREATE", "UPDATE"];

export const matchPolicy: Rule<string> = oneOf("Equivalent", "Exact");

/** Has to be there, if empty. */
function present<V>(rule: Rule<V>): Rule<V> {
  return (value, place) => {
    if (value === undefined) place.required();
    else rule(value, place);
  };
}

/** What a policy or a binding is about. */
export const matchResources: Rule<MatchResources> = fields<MatchResources>({
  matchPolicy: present(matchPolicy),
  namespaceSelector: present(labelSelector),
  objectSelector: present(labelSelector),
  resourceRules: each(namedRuleWithOperations),
  excludeResourceRules: each(namedRuleWithOperations),
});

/** Policies that change objects are not asked when one is deleted. Errors do not say which rule. */
export const mutatingOperations: Rule<MatchResources> = (match, place) => {
  const at = place.child("resourceRules").child("operations");
  for (const rule of match?.resourceRules ?? []) {
    for (const operation of rule?.operations ?? []) {
      if (!MUTATING_OPERATIONS.includes(operation)) at.notSupported(operation, MUTATING_OPERATIONS);
    }
  }
};

const apiVersion: Rule<string> = (value = "", place) => {
  if (value === "") return place.required();
  const parts = value === "/" ? ["", ""] : value.split("/");
  if (parts.length > 2) return place.invalid(value, `unexpected GroupVersion string: ${value}`);
  const [group, version] = parts.length === 1 ? ["", value] : [parts[0] ?? "", parts[1] ?? ""];
  const groupProblems = group === "" ? [] : checkDns1123Subdomain(group);
  if (groupProblems.length > 0) place.invalid(group, groupProblems.join(","));
  if (version === "") return place.invalid(value, "version must be specified");
  const versionProblems = checkDns1035Label(version);
  if (versionProblems.length > 0) place.invalid(version, versionProblems.join(","));
};

const kind: Rule<string> = (value = "", place) => {
  if (value === "") return place.required();
  const problems = checkDns1035Label(value.toLowerCase());
  if (problems.length === 0) return;
  const how = "may have mixed case, but should otherwise match: ";
  place.invalid(value, how + problems.join(","));
};

/** The kind of object that holds the parameters of a policy. */
export const paramKind: Rule<ParamKind> = fields<ParamKind>({ apiVersion, kind });

const EXCLUSIVE = "name and selector are mutually exclusive";
const NOT_FOUND_ACTIONS = ["Deny", "Allow"];

/** Which objects hold them. */
export const paramRef: Rule<ParamRef> = (value, place) => {
  const { name = "", selector, parameterNotFoundAction: action = "" } = value ?? {};
  if (name !== "") {
    const at = place.child("name");
    for (const problem of checkPathSegmentName(name)) at.invalid(name, problem);
    if (selector !== undefined) at.forbidden(EXCLUSIVE);
  }
  if (selector !== undefined) {
    labelSelector(selector, place.child("selector"));
    if (name !== "") place.child("selector").forbidden(EXCLUSIVE);
  } else if (name === "") place.required("one of name or selector must be specified");
  const at = place.child("parameterNotFoundAction");
  if (action === "") at.required();
  else if (!NOT_FOUND_ACTIONS.includes(action)) at.notSupported(action, NOT_FOUND_ACTIONS);
};
