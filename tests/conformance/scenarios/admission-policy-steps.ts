/** What scenarios of policies are made of: a policy about ConfigMaps, bound to the scenario's namespace. */
import type { JsonObject } from "@homeostat/object-model";
import { del, type PauseStep, pause, post, type RequestStep, type Step } from "../scenario.ts";

/** kube-apiserver compiles policies every second. */
export const settled: PauseStep = { ...pause(4000), peerOnly: true };

export const here: JsonObject = { matchLabels: { "kubernetes.io/metadata.name": "${ns}" } };
export const maps: JsonObject = { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] };
const constraints = (...operations: string[]): JsonObject => ({
  resourceRules: [{ ...maps, operations: operations.length === 0 ? ["*"] : operations }],
});

/** A policy about ConfigMaps and its binding to this namespace. */
export const judging = (name: string, spec: JsonObject, binding: JsonObject = {}): Step[] => [
  post("validatingadmissionpolicies", {
    metadata: { name: `\${ns}-${name}` },
    spec: { matchConstraints: constraints(), ...spec },
  }),
  post("validatingadmissionpolicybindings", {
    metadata: { name: `\${ns}-${name}` },
    spec: {
      policyName: `\${ns}-${name}`,
      validationActions: ["Deny"],
      matchResources: { namespaceSelector: here },
      ...binding,
    },
  }),
];

export const changing = (name: string, spec: JsonObject, binding: JsonObject = {}): Step[] => [
  post("mutatingadmissionpolicies", {
    metadata: { name: `\${ns}-${name}` },
    spec: {
      matchConstraints: constraints("CREATE", "UPDATE"),
      reinvocationPolicy: "Never",
      ...spec,
    },
  }),
  post("mutatingadmissionpolicybindings", {
    metadata: { name: `\${ns}-${name}` },
    spec: { policyName: `\${ns}-${name}`, matchResources: { namespaceSelector: here }, ...binding },
  }),
];

export const gone = (kind: "mutating" | "validating", ...names: string[]): Step[] =>
  names.flatMap((name) => [
    del(`${kind}admissionpolicybindings/\${ns}-${name}`),
    del(`${kind}admissionpolicies/\${ns}-${name}`),
  ]);

export const map = (name: string, more: JsonObject = {}): RequestStep =>
  post("configmaps", { metadata: { name }, ...more });
export const data = (values: JsonObject): JsonObject => ({ data: values });
export const validations = (...expressions: (JsonObject | string)[]): JsonObject => ({
  validations: expressions.map((each) => (typeof each === "string" ? { expression: each } : each)),
});
