/** Webhook configurations and admission policies. */
import type {
  MatchResources,
  MutatingAdmissionPolicySpec,
  MutatingWebhook,
  NamedRuleWithOperations,
  RuleWithOperations,
  ServiceReference,
  ValidatingAdmissionPolicySpec,
  ValidatingWebhook,
} from "@homeostat/object-model/admissionregistration-v1";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

const MATCH = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} };
const WEBHOOK = { ...MATCH, failurePolicy: "Fail", timeoutSeconds: 10 };

export const admissionConfigurationRules: readonly NamedTypeRules[] = [
  rulesFor<ValidatingWebhook>("admissionregistration.v1.ValidatingWebhook", { defaults: WEBHOOK }),
  rulesFor<MutatingWebhook>("admissionregistration.v1.MutatingWebhook", {
    defaults: { ...WEBHOOK, reinvocationPolicy: "Never" },
  }),
  rulesFor<RuleWithOperations>("admissionregistration.v1.RuleWithOperations", {
    defaults: { scope: "*" },
  }),
  rulesFor<NamedRuleWithOperations>("admissionregistration.v1.NamedRuleWithOperations", {
    defaults: { scope: "*" },
  }),
  rulesFor<ServiceReference>("admissionregistration.v1.ServiceReference", {
    defaults: { port: 443 },
  }),
  rulesFor<MatchResources>("admissionregistration.v1.MatchResources", { defaults: MATCH }),
  rulesFor<ValidatingAdmissionPolicySpec>(
    "admissionregistration.v1.ValidatingAdmissionPolicySpec",
    {
      defaults: { failurePolicy: "Fail" },
    },
  ),
  rulesFor<MutatingAdmissionPolicySpec>("admissionregistration.v1.MutatingAdmissionPolicySpec", {
    defaults: { failurePolicy: "Fail" },
  }),
];
