/** Services and their Endpoints. Cluster IPs, families and node ports are the registry's choice. */
import type {
  EndpointPort,
  Service,
  ServicePort,
  ServiceSpec,
} from "@homeostat/object-model/core-v1";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

const AFFINITY_SECONDS = 10_800;
const CLUSTER = "Cluster";

export const serviceRules: readonly NamedTypeRules[] = [
  rulesFor<Service>("core.v1.Service", { setDefaults: setIngressModes }),
  rulesFor<ServiceSpec>("core.v1.ServiceSpec", {
    defaults: { sessionAffinity: "None", type: "ClusterIP" },
    setDefaults(spec) {
      setAffinityDefaults(spec);
      setTrafficDefaults(spec);
    },
  }),
  rulesFor<ServicePort>("core.v1.ServicePort", {
    defaults: { protocol: "TCP" },
    setDefaults(port) {
      port.targetPort ||= port.port ?? 0;
    },
  }),
  rulesFor<EndpointPort>("core.v1.EndpointPort", { defaults: { protocol: "TCP" } }),
];

function setAffinityDefaults(spec: Unchecked<ServiceSpec>): void {
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== "ClientIP") return;
  if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds !== undefined) return;
  spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } };
}

function setTrafficDefaults(spec: Unchecked<ServiceSpec>): void {
  const isBalanced = spec.type === "LoadBalancer";
  const isOnNodes = isBalanced || spec.type === "NodePort";
  const isInternal = spec.type === "ClusterIP";
  const hasExternalIps = (spec.externalIPs ?? []).length > 0;
  if (isOnNodes || (isInternal && hasExternalIps)) spec.externalTrafficPolicy ||= CLUSTER;
  if (isOnNodes || isInternal) spec.internalTrafficPolicy ??= CLUSTER;
  if (isBalanced) spec.allocateLoadBalancerNodePorts ??= true;
}

/** An address of a load balancer is a virtual one unless it says otherwise. */
function setIngressModes(service: Unchecked<Service>): void {
  if (service.spec?.type !== "LoadBalancer") return;
  for (const ingress of service.status?.loadBalancer?.ingress ?? []) {
    if (ingress.ip) ingress.ipMode ??= "VIP";
  }
}
