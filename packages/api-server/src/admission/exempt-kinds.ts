import type { GroupVersionKind } from "@homeostat/object-model";

const GROUP = "admissionregistration.k8s.io";
const POLICIES: ReadonlySet<string> = new Set([
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
]);
const WEBHOOKS: ReadonlySet<string> = new Set([
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
]);

/** Those that say who judges: no policy judges them, or a mistake could not be taken back. */
export function isPolicyKind({ group, kind }: GroupVersionKind): boolean {
  return group === GROUP && POLICIES.has(kind);
}

/** Those that say who is asked, policies among them: no webhook is asked about them. */
export function isExemptFromWebhooks(kind: GroupVersionKind): boolean {
  return isPolicyKind(kind) || (kind.group === GROUP && WEBHOOKS.has(kind.kind));
}
