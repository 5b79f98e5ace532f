/** Network policies and ingress classes. Ingresses have no defaults. */
import type {
  IngressClassParametersReference,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "@homeostat/object-model/networking-v1";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

export const networkPolicyRules: readonly NamedTypeRules[] = [
  rulesFor<NetworkPolicySpec>("networking.v1.NetworkPolicySpec", {
    setDefaults(spec) {
      if ((spec.policyTypes ?? []).length > 0) return;
      spec.policyTypes = (spec.egress ?? []).length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
    },
  }),
  rulesFor<NetworkPolicyPort>("networking.v1.NetworkPolicyPort", { defaults: { protocol: "TCP" } }),
  rulesFor<IngressClassParametersReference>("networking.v1.IngressClassParametersReference", {
    defaults: { scope: "Cluster" },
  }),
];
