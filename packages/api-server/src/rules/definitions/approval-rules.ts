import { ownKey } from "@homeostat/object-model";
import type { CustomResourceDefinition } from "@homeostat/object-model/apiextensions-v1";
import type { Place } from "@homeostat/schema";

const ANNOTATION = "api-approved.kubernetes.io";
const SEE = "see https://github.com/kubernetes/enhancements/pull/1111";

/** Groups of the Kubernetes project say in an annotation who approved them. */
export function checkApproval(
  definition: Readonly<CustomResourceDefinition>,
  old: Readonly<CustomResourceDefinition> | undefined,
  place: Place,
): void {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(definition.spec?.group ?? "")) return;
  const text = approvalOf(definition);
  const state = stateOf(text);
  if (old !== undefined && stateOf(approvalOf(old)) === state) return;
  const at = place.key(ANNOTATION);
  const detail = `protected groups must have approval annotation "${ANNOTATION}"`;
  if (state === "missing") at.required(`${detail}, ${SEE}`);
  else if (state === "invalid") {
    at.invalid(text, `${detail} with either a URL or a reason starting with "unapproved", ${SEE}`);
  }
}

function approvalOf({ metadata }: Readonly<CustomResourceDefinition>): string {
  return ownKey(metadata.annotations, ANNOTATION) ?? "";
}

function stateOf(text: string): "approved" | "bypassed" | "invalid" | "missing" {
  if (text === "") return "missing";
  if (text.startsWith("unapproved")) return "bypassed";
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#\s]+/.test(text) ? "approved" : "invalid";
}
