/** Webhook configurations and admission policies. */
import type {
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingAdmissionPolicySpec,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  NamedRuleWithOperations,
  RuleWithOperations,
  ServiceReference,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicySpec,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from "@homeostat/object-model/admissionregistration-v1";
import { mutatingPolicy, mutatingPolicyChange } from "./admission/mutating-policy.ts";
import { mutatingBinding, validatingBinding } from "./admission/policy-bindings.ts";
import { validatingPolicy, validatingPolicyChange } from "./admission/validating-policy.ts";
import { webhookConfiguration, webhookConfigurationChange } from "./admission/webhooks.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

const MATCH = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} };
const WEBHOOK = { ...MATCH, failurePolicy: "Fail", timeoutSeconds: 10 };

export const admissionConfigurationRules: readonly NamedTypeRules[] = [
  rulesFor<ValidatingWebhookConfiguration>(
    "admissionregistration.v1.ValidatingWebhookConfiguration",
    { validate: webhookConfiguration, validateChange: webhookConfigurationChange },
  ),
  rulesFor<MutatingWebhookConfiguration>("admissionregistration.v1.MutatingWebhookConfiguration", {
    validate: webhookConfiguration,
    validateChange: webhookConfigurationChange,
  }),
  rulesFor<ValidatingAdmissionPolicy>("admissionregistration.v1.ValidatingAdmissionPolicy", {
    validate: validatingPolicy,
    validateChange: validatingPolicyChange,
  }),
  rulesFor<MutatingAdmissionPolicy>("admissionregistration.v1.MutatingAdmissionPolicy", {
    validate: mutatingPolicy,
    validateChange: mutatingPolicyChange,
  }),
  rulesFor<ValidatingAdmissionPolicyBinding>(
    "admissionregistration.v1.ValidatingAdmissionPolicyBinding",
    {
      validate: validatingBinding,
      validateChange: ({ value }, place) => validatingBinding(value, place),
    },
  ),
  rulesFor<MutatingAdmissionPolicyBinding>(
    "admissionregistration.v1.MutatingAdmissionPolicyBinding",
    {
      validate: mutatingBinding,
      validateChange: ({ value }, place) => mutatingBinding(value, place),
    },
  ),
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
