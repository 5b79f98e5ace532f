/** A reference to an object by kind and name, whatever version of the kind is there. */
import { checkPathSegmentName } from "@homeostat/object-model";
import type { CrossVersionObjectReference } from "@homeostat/object-model/autoscaling-v2";
import { fields, type Rule, textIs } from "@homeostat/schema";
import { requiredThen } from "../checks/required-then.ts";

/** Whether the apiVersion has to name a group; "any": it is not looked at. */
export type GroupOfReference = "any" | "optional" | "required";

const names = fields<CrossVersionObjectReference>({
  kind: requiredThen(textIs(checkPathSegmentName)),
  name: requiredThen(textIs(checkPathSegmentName)),
});

export function objectReference(group: GroupOfReference): Rule<CrossVersionObjectReference> {
  return (reference, place) => {
    names(reference, place);
    const apiVersion = reference?.apiVersion ?? "";
    const problem = apiVersionProblem(apiVersion, group);
    if (problem !== undefined) place.child("apiVersion").invalid(apiVersion, problem);
  };
}

export function apiVersionProblem(apiVersion: string, group: GroupOfReference): string | undefined {
  if (group === "any") return undefined;
  const parts = apiVersion.split("/");
  if (apiVersion !== "/" && parts.length > 2) {
    return `unexpected GroupVersion string: ${apiVersion}`;
  }
  const named = parts.length === 2 ? parts[0] : "";
  return group === "required" && !named ? "apiVersion must specify API group" : undefined;
}
