/** What a client should know about a Service that is accepted all the same. */
import { annotationOf } from "@homeostat/object-model";
import type { Service } from "@homeostat/object-model/core-v1";
import { cidrWarnings } from "../rules/checks/cidrs.ts";
import { ipWarnings } from "../rules/checks/ip-addresses.ts";
import { isExternalName, NO_CLUSTER_IP, specOf } from "./service-traits.ts";

const HINTS = "service.kubernetes.io/topology-aware-hints";
const MODE = "service.kubernetes.io/topology-mode";

export function serviceWarnings(service: Readonly<Service>): string[] {
  const spec = specOf(service);
  const { clusterIP = "", clusterIPs = [], externalIPs = [], loadBalancerIP = "" } = spec;
  const headless = spec.type === "ClusterIP" && clusterIP === NO_CLUSTER_IP;
  const warnings: string[] = [];
  if (annotationOf(service, HINTS) !== undefined) {
    warnings.push(`annotation ${HINTS} is deprecated, please use ${MODE} instead`);
  }
  if (clusterIP !== "" && clusterIP !== NO_CLUSTER_IP) {
    for (const each of warningsOfAll("spec.clusterIPs", clusterIPs)) warnings.push(each);
  }
  if (headless) {
    if (loadBalancerIP !== "") {
      warnings.push("spec.loadBalancerIP is ignored for headless services");
    }
    if (externalIPs.length > 0) {
      warnings.push("spec.externalIPs is ignored for headless services");
    }
    if (spec.sessionAffinity !== "None") {
      warnings.push("spec.SessionAffinity is ignored for headless services");
    }
  }
  for (const each of warningsOfAll("spec.externalIPs", externalIPs)) warnings.push(each);
  if (externalIPs.length > 0 && !headless && !isExternalName(spec)) {
    warnings.push(
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    );
  }
  if (loadBalancerIP !== "")
    for (const each of ipWarnings("spec.loadBalancerIP", loadBalancerIP)) warnings.push(each);
  for (const [index, range] of (spec.loadBalancerSourceRanges ?? []).entries()) {
    for (const each of cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, range))
      warnings.push(each);
  }
  if (isExternalName(spec)) {
    if (externalIPs.length > 0) {
      warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
    }
  } else if (spec.externalName) {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec.trafficDistribution === "PreferClose") {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}

/** Of an update of the status. */
export function ingressWarnings({ status }: Readonly<Service>): string[] {
  const ips = (status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip ?? "");
  return warningsOfAll("status.loadBalancer.ingress", ips);
}

function warningsOfAll(field: string, ips: readonly string[]): string[] {
  return ips.flatMap((ip, index) => ipWarnings(`${field}[${index}]`, ip));
}
