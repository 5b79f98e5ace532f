import type {
  MutatingAdmissionPolicyBinding,
  MutatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicyBindingSpec,
} from "@homeostat/object-model/admissionregistration-v1";
import { dns1123Subdomain, fields, ifPresent, type Rule } from "@homeostat/schema";
import { requiredThen } from "../checks/required-then.ts";
import { matchResources, mutatingOperations, paramRef } from "./match-resources.ts";

const ACTIONS = ["Audit", "Deny", "Warn"];

const validationActions: Rule<readonly string[]> = (actions = [], place) => {
  const seen = new Set<string>();
  for (const [index, action] of actions.entries()) {
    const at = place.index(index);
    if (!ACTIONS.includes(action)) at.notSupported(action, ACTIONS);
    if (seen.has(action)) at.duplicate(action);
    seen.add(action);
  }
  if (seen.has("Deny") && seen.has("Warn")) {
    const why =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    place.invalid(actions, why);
  }
  if (seen.size === 0) place.required("at least one validation action is required");
};

export const validatingBinding: Rule<ValidatingAdmissionPolicyBinding> =
  fields<ValidatingAdmissionPolicyBinding>({
    spec: fields<ValidatingAdmissionPolicyBindingSpec>({
      policyName: requiredThen(dns1123Subdomain),
      paramRef: ifPresent(paramRef),
      matchResources: ifPresent(matchResources),
      validationActions,
    }),
  });

export const mutatingBinding: Rule<MutatingAdmissionPolicyBinding> =
  fields<MutatingAdmissionPolicyBinding>({
    spec: fields<MutatingAdmissionPolicyBindingSpec>({
      policyName: requiredThen(dns1123Subdomain),
      paramRef: ifPresent(paramRef),
      matchResources: ifPresent(matchResources, mutatingOperations),
    }),
  });
