import type { GroupVersionKind } from "@homeostat/object-model";

const KINDS: ReadonlySet<string> = new Set([
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "ValidatingWebhookConfiguration",
]);

/** Those that say who is asked: nobody is asked about them, or a mistake could not be taken back. */
export function isExemptKind({ group, kind }: GroupVersionKind): boolean {
  return group === "admissionregistration.k8s.io" && KINDS.has(kind);
}
