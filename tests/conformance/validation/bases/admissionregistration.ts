import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "@homeostat/object-model/admissionregistration-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const selector = {
  matchLabels: { a: "b" },
  matchExpressions: [{ key: "c", operator: "In", values: ["d"] }],
};
const rule = {
  operations: ["CREATE", "UPDATE"],
  apiGroups: ["apps"],
  apiVersions: ["v1"],
  resources: ["deployments", "deployments/status"],
  scope: "Namespaced",
};
const webhook = {
  name: "check.example.com",
  clientConfig: { service: { namespace: "probes", name: "hook", path: "/check", port: 8443 } },
  rules: [rule],
  failurePolicy: "Fail",
  matchPolicy: "Exact",
  namespaceSelector: selector,
  objectSelector: selector,
  sideEffects: "None",
  timeoutSeconds: 5,
  admissionReviewVersions: ["v1", "v1beta1"],
  matchConditions: [{ name: "not-mine", expression: "request.userInfo.username != 'me'" }],
};
const remote = {
  name: "remote.example.com",
  clientConfig: { url: "https://hook.example/check" },
  sideEffects: "NoneOnDryRun",
  admissionReviewVersions: ["v1"],
};

const validatingWebhooks = {
  plain: { webhooks: [webhook] },
  remote: { webhooks: [remote, { ...remote, name: "second.example.com" }] },
} satisfies Variants<ValidatingWebhookConfiguration>;

const mutatingWebhooks = {
  plain: { webhooks: [{ ...webhook, reinvocationPolicy: "IfNeeded" }] },
  remote: { webhooks: [remote] },
} satisfies Variants<MutatingWebhookConfiguration>;

const matchResources = {
  namespaceSelector: selector,
  objectSelector: selector,
  resourceRules: [{ ...rule, resources: ["deployments"], resourceNames: ["web"] }],
  excludeResourceRules: [{ ...rule, resources: ["deployments"], resourceNames: ["other"] }],
  matchPolicy: "Equivalent",
};

const validatingPolicies = {
  plain: {
    spec: {
      matchConstraints: { resourceRules: [{ ...rule, resources: ["deployments"] }] },
      validations: [{ expression: "object.spec.replicas <= 5" }],
    },
  },
  full: {
    spec: {
      paramKind: { apiVersion: "example.com/v1", kind: "Limit" },
      matchConstraints: matchResources,
      variables: [{ name: "replicas", expression: "object.spec.replicas" }],
      validations: [
        {
          expression: "variables.replicas <= params.max",
          message: "too many",
          reason: "Forbidden",
          messageExpression: "'max ' + string(params.max)",
        },
      ],
      failurePolicy: "Ignore",
      auditAnnotations: [{ key: "replicas", valueExpression: "string(variables.replicas)" }],
      matchConditions: [{ name: "not-mine", expression: "request.userInfo.username != 'me'" }],
    },
    status: {
      observedGeneration: 1,
      typeChecking: {
        expressionWarnings: [{ fieldRef: "spec.validations[0].expression", warning: "w" }],
      },
      conditions: [
        {
          type: "Ready",
          status: "True",
          observedGeneration: 1,
          lastTransitionTime: "2020-01-01T00:00:00Z",
          reason: "Because",
          message: "x",
        },
      ],
    },
  },
} satisfies Variants<ValidatingAdmissionPolicy>;

const validatingBindings = {
  plain: {
    spec: {
      policyName: "policy.example.com",
      paramRef: { name: "limits", namespace: "probes", parameterNotFoundAction: "Deny" },
      matchResources,
      validationActions: ["Deny", "Audit"],
    },
  },
  selected: {
    spec: {
      policyName: "policy",
      paramRef: { selector, parameterNotFoundAction: "Allow" },
      validationActions: ["Warn"],
    },
  },
} satisfies Variants<ValidatingAdmissionPolicyBinding>;

const mutatingPolicies = {
  apply: {
    spec: {
      paramKind: { apiVersion: "example.com/v1", kind: "Limit" },
      matchConstraints: matchResources,
      variables: [{ name: "x", expression: "1" }],
      mutations: [
        {
          patchType: "ApplyConfiguration",
          applyConfiguration: {
            expression: "Object{metadata: Object.metadata{labels: {'a': 'b'}}}",
          },
        },
      ],
      failurePolicy: "Fail",
      matchConditions: [{ name: "m", expression: "true" }],
      reinvocationPolicy: "Never",
    },
  },
  patch: {
    spec: {
      matchConstraints: { resourceRules: [{ ...rule, resources: ["deployments"] }] },
      mutations: [
        {
          patchType: "JSONPatch",
          jsonPatch: {
            expression: '[JSONPatch{op: "add", path: "/metadata/labels/a", value: "b"}]',
          },
        },
      ],
      reinvocationPolicy: "IfNeeded",
    },
  },
} satisfies Variants<MutatingAdmissionPolicy>;

const mutatingBindings = {
  plain: {
    spec: {
      policyName: "policy.example.com",
      paramRef: { name: "limits", parameterNotFoundAction: "Deny" },
      matchResources,
    },
  },
} satisfies Variants<MutatingAdmissionPolicyBinding>;

const admission = { group: "admissionregistration.k8s.io", version: "v1" } as const;

function kind(plural: string, variants: ProbedKind["variants"]): ProbedKind {
  return { ...admission, name: plural, plural, variants };
}

export const admissionKinds: readonly ProbedKind[] = [
  kind("mutatingadmissionpolicies", mutatingPolicies),
  kind("mutatingadmissionpolicybindings", mutatingBindings),
  kind("mutatingwebhookconfigurations", mutatingWebhooks),
  kind("validatingadmissionpolicies", validatingPolicies),
  kind("validatingadmissionpolicybindings", validatingBindings),
  kind("validatingwebhookconfigurations", validatingWebhooks),
];
