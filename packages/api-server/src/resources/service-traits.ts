/** What a Service is, as far as its other fields depend on it. Absent, empty and zero are the same. */
import type { Service, ServiceSpec } from "@homeostat/object-model/core-v1";

export const NO_CLUSTER_IP = "None";

export function specOf(service: Readonly<Service>): Readonly<ServiceSpec> {
  return service.spec ?? {};
}

export function isExternalName({ type }: Readonly<ServiceSpec>): boolean {
  return type === "ExternalName";
}

export function isLoadBalancer({ type }: Readonly<ServiceSpec>): boolean {
  return type === "LoadBalancer";
}

/** Types whose ports are open on every node. */
export function opensNodePorts({ type }: Readonly<ServiceSpec>): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether a port without a node port gets one. */
export function getsNodePorts(spec: Readonly<ServiceSpec>): boolean {
  return (
    opensNodePorts(spec) && !(isLoadBalancer(spec) && spec.allocateLoadBalancerNodePorts === false)
  );
}

export function needsHealthCheck(spec: Readonly<ServiceSpec>): boolean {
  return isLoadBalancer(spec) && spec.externalTrafficPolicy === "Local";
}

export function isExternallyAccessible(spec: Readonly<ServiceSpec>): boolean {
  return opensNodePorts(spec) || (spec.type === "ClusterIP" && (spec.externalIPs ?? []).length > 0);
}

export function isHeadless({ clusterIPs = [] }: Readonly<ServiceSpec>): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === NO_CLUSTER_IP;
}

/** The addresses a Service holds of the pool. */
export function addressesOf(spec: Readonly<ServiceSpec>): readonly string[] {
  return isExternalName(spec) || isHeadless(spec) ? [] : (spec.clusterIPs ?? []);
}

/** The node ports a Service holds of the pool, each once. */
export function nodePortsOf(spec: Readonly<ServiceSpec>): ReadonlySet<number> {
  const ports = (spec.ports ?? []).map(({ nodePort = 0 }) => nodePort);
  if (needsHealthCheck(spec)) ports.push(spec.healthCheckNodePort ?? 0);
  return new Set(ports.filter((port) => port !== 0));
}

export function sameTexts(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}
