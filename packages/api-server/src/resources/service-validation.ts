/**
 * What is wrong with a Service whose addresses and ports are given: kube-apiserver's checks in their
 * order. The metadata has been checked before (`object-meta.ts`).
 */
import {
  annotationOf,
  checkDns1123Subdomain,
  checkLabelKey,
  FieldError,
  FieldPath,
} from "@homeostat/object-model";
import type { Service, ServiceSpec } from "@homeostat/object-model/core-v1";
import { Place } from "@homeostat/schema";
import { endpointIp } from "../rules/checks/endpoint-ips.ts";
import { familyOfIp } from "../rules/checks/ip-addresses.ts";
import { checkPortNumber } from "../rules/checks/ports.ts";
import { checkLabels } from "./object-meta.ts";
import { checkCidr } from "./service-cidr-check.ts";
import { checkClusterIps, checkIp } from "./service-cluster-ips.ts";
import { checkChoice, checkNodePorts, checkPorts, invalids } from "./service-port-checks.ts";
import {
  isExternallyAccessible,
  isExternalName,
  isHeadless,
  isLoadBalancer,
  needsHealthCheck,
  specOf,
} from "./service-traits.ts";

const SPEC = FieldPath.of("spec");
const ANNOTATIONS = FieldPath.of("metadata", "annotations");
const TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";
const TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";
const SOURCE_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges";
const ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";
const UNCHANGEABLE = "may not change once set";
const AFFINITY_MAX_SECONDS = 86_400;

const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const POLICIES = ["Cluster", "Local"];

/** On create, and the second half of an update. */
export function checkService(
  service: Readonly<Service>,
  old: Readonly<Service> | undefined,
): FieldError[] {
  const spec = specOf(service);
  return [
    ...checkTopology(service),
    ...checkType(spec),
    ...checkPorts(spec),
    ...checkLabels(spec.selector, SPEC.child("selector")),
    ...checkAffinity(spec),
    ...checkClusterIps(service, old),
    ...checkExternalIps(spec, old && specOf(old)),
    ...checkChoice(SPEC.child("type"), spec.type, TYPES),
    ...checkNodePorts(spec),
    ...checkSourceRanges(service, old),
    ...checkLoadBalancerFields(spec),
    ...checkTrafficPolicies(spec),
  ];
}

export function checkServiceUpdate(
  service: Readonly<Service>,
  old: Readonly<Service>,
): FieldError[] {
  const spec = specOf(service);
  const before = specOf(old);
  const errors: FieldError[] = [];
  if (!isExternalName(spec) && !isExternalName(before)) {
    errors.push(...checkClusterIpChange(spec, before), ...checkFamilyChange(spec, before));
  }
  if (isLoadBalancer(before) && isLoadBalancer(spec)) {
    if (before.loadBalancerClass !== spec.loadBalancerClass) {
      const path = SPEC.child("loadBalancerClass");
      errors.push(FieldError.invalid(path, spec.loadBalancerClass, UNCHANGEABLE));
    }
  }
  for (const each of checkLoadBalancerClass(spec)) errors.push(each);
  if (
    needsHealthCheck(before) &&
    needsHealthCheck(spec) &&
    before.healthCheckNodePort !== spec.healthCheckNodePort
  ) {
    errors.push(FieldError.forbidden(SPEC.child("healthCheckNodePort"), "field is immutable"));
  }
  return [...errors, ...checkService(service, old)];
}

function checkClusterIpChange(
  spec: Readonly<ServiceSpec>,
  old: Readonly<ServiceSpec>,
): FieldError[] {
  if (isHeadless(spec) && isHeadless(old)) return [];
  const now = spec.clusterIPs ?? [];
  const before = old.clusterIPs ?? [];
  const path = SPEC.child("clusterIPs");
  const changed = (i: number): FieldError => FieldError.invalid(path.index(i), now, UNCHANGEABLE);
  if (before.length === now.length) {
    return [...before.keys()].filter((i) => before[i] !== now[i]).map(changed);
  }
  const errors: FieldError[] = [];
  if (now.length === 0) {
    const detail = "primary clusterIP can not be unset";
    errors.push(FieldError.invalid(path.index(0), null, detail));
  } else if (before.length > 0 && before[0] !== now[0]) errors.push(changed(0));
  if (now.length === 1 && before.length > 1 && spec.ipFamilyPolicy !== "SingleStack") {
    const detail = "must be set to 'SingleStack' when releasing the secondary clusterIP";
    errors.push(FieldError.invalid(SPEC.child("ipFamilyPolicy"), spec.ipFamilyPolicy, detail));
  }
  return errors;
}

function checkFamilyChange(spec: Readonly<ServiceSpec>, old: Readonly<ServiceSpec>): FieldError[] {
  if (isHeadless(spec) || isHeadless(old)) return [];
  const now = spec.ipFamilies ?? [];
  const before = old.ipFamilies ?? [];
  const path = SPEC.child("ipFamilies").index(0);
  if (before.length === now.length) {
    return before
      .filter((family, i) => family !== now[i])
      .map(() => FieldError.invalid(path, now, UNCHANGEABLE));
  }
  const errors: FieldError[] = [];
  if (now.length < before.length && (spec.clusterIPs ?? []).length === 0) {
    errors.push(FieldError.invalid(path, now, "primary ipFamily can not be unset"));
  }
  if (now.length > 0 && before.length > 0 && now[0] !== before[0]) {
    errors.push(FieldError.invalid(path, spec.clusterIPs ?? null, UNCHANGEABLE));
  }
  if (now.length === 1 && before.length > 1 && spec.ipFamilyPolicy !== "SingleStack") {
    const detail = "must be set to 'SingleStack' when releasing the secondary ipFamily";
    errors.push(FieldError.invalid(SPEC.child("ipFamilyPolicy"), spec.ipFamilyPolicy, detail));
  }
  return errors;
}

function checkTopology(service: Readonly<Service>): FieldError[] {
  const hints = annotationOf(service, TOPOLOGY_HINTS);
  const mode = annotationOf(service, TOPOLOGY_MODE);
  if (hints === undefined || mode === undefined || hints === mode) return [];
  const detail = `must match annotations[${TOPOLOGY_HINTS}] when both are specified`;
  return [FieldError.invalid(ANNOTATIONS.key(TOPOLOGY_MODE), mode, detail)];
}

function checkType(spec: Readonly<ServiceSpec>): FieldError[] {
  const errors: FieldError[] = [];
  const { type, ports = [] } = spec;
  if (ports.length === 0 && !isHeadless(spec) && !isExternalName(spec)) {
    errors.push(FieldError.required(SPEC.child("ports")));
  }
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(spec)) {
    const detail = `may not be set to 'None' for ${type} services`;
    errors.push(FieldError.invalid(SPEC.child("clusterIPs").index(0), "None", detail));
  }
  return isExternalName(spec) ? [...errors, ...checkExternalName(spec)] : errors;
}

function checkExternalName(spec: Readonly<ServiceSpec>): FieldError[] {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy, externalName = "" } = spec;
  const given = { clusterIPs: clusterIPs[0], ipFamilies: ipFamilies[0], ipFamilyPolicy };
  const errors = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name]) =>
      FieldError.forbidden(SPEC.child(name), "may not be set for ExternalName services"),
    );
  const path = SPEC.child("externalName");
  const name = externalName.replace(/\.$/, "");
  if (name === "") return [...errors, FieldError.required(path)];
  return [...errors, ...invalids(path, name, checkDns1123Subdomain(name))];
}

function checkAffinity(spec: Readonly<ServiceSpec>): FieldError[] {
  const { sessionAffinity, sessionAffinityConfig: config } = spec;
  const errors = checkChoice(SPEC.child("sessionAffinity"), sessionAffinity, ["ClientIP", "None"]);
  const path = SPEC.child("sessionAffinityConfig");
  if (sessionAffinity === "None") {
    if (!config) return errors;
    return [...errors, FieldError.forbidden(path, "must not be set when session affinity is None")];
  }
  if (sessionAffinity !== "ClientIP") return errors;
  const why = "when session affinity type is ClientIP";
  if (!config) return [...errors, FieldError.required(path, why)];
  if (!config.clientIP) return [...errors, FieldError.required(path.child("clientIP"), why)];
  const timeout = config.clientIP.timeoutSeconds;
  const at = path.child("clientIP", "timeoutSeconds");
  if (timeout === undefined) return [...errors, FieldError.required(at, why)];
  if (timeout > 0 && timeout <= AFFINITY_MAX_SECONDS) return errors;
  const detail = `must be greater than 0 and less than ${AFFINITY_MAX_SECONDS}`;
  return [...errors, FieldError.invalid(at, timeout, detail)];
}

function checkExternalIps(
  { externalIPs = [] }: Readonly<ServiceSpec>,
  old: Readonly<ServiceSpec> | undefined,
): FieldError[] {
  return [...externalIPs.entries()].flatMap(([i, ip]) => {
    const path = SPEC.child("externalIPs").index(i);
    if (!old?.externalIPs?.includes(ip)) {
      const errors = checkIp(ip, path);
      if (errors.length > 0) return errors;
    }
    const place = Place.root(undefined, path);
    endpointIp(ip, place);
    return place.errors;
  });
}

function checkSourceRanges(
  service: Readonly<Service>,
  old: Readonly<Service> | undefined,
): FieldError[] {
  const spec = specOf(service);
  const ranges = spec.loadBalancerSourceRanges ?? [];
  const annotation = annotationOf(service, SOURCE_RANGES);
  const known = (old && specOf(old).loadBalancerSourceRanges) ?? [];
  if (ranges.length > 0) {
    const path = SPEC.child("LoadBalancerSourceRanges");
    const errors = isLoadBalancer(spec) ? [] : [FieldError.forbidden(path, ONLY_LOAD_BALANCER)];
    for (const [i, range] of ranges.entries()) {
      const isKnown = known.some((each) => each.trim() === range.trim());
      if (!isKnown) for (const each of checkCidr(range.trim(), path.index(i))) errors.push(each);
    }
    return errors;
  }
  if (annotation === undefined) return [];
  const path = ANNOTATIONS.key(SOURCE_RANGES);
  const errors = isLoadBalancer(spec) ? [] : [FieldError.forbidden(path, ONLY_LOAD_BALANCER)];
  if (annotation.trim() === "" || (old && annotationOf(old, SOURCE_RANGES) === annotation)) {
    return errors;
  }
  return [...errors, ...annotation.split(",").flatMap((range) => checkCidr(range.trim(), path))];
}

function checkLoadBalancerFields(spec: Readonly<ServiceSpec>): FieldError[] {
  const errors: FieldError[] = [];
  const given = spec.allocateLoadBalancerNodePorts !== undefined;
  if (given && !isLoadBalancer(spec)) {
    const path = SPEC.child("allocateLoadBalancerNodePorts");
    errors.push(FieldError.forbidden(path, ONLY_LOAD_BALANCER));
  }
  if (!given && isLoadBalancer(spec)) {
    errors.push(FieldError.required(FieldPath.of("allocateLoadBalancerNodePorts")));
  }
  return [...errors, ...checkLoadBalancerClass(spec)];
}

function checkLoadBalancerClass(spec: Readonly<ServiceSpec>): FieldError[] {
  const { loadBalancerClass } = spec;
  if (loadBalancerClass === undefined) return [];
  const path = SPEC.child("loadBalancerClass");
  if (!isLoadBalancer(spec)) return [FieldError.forbidden(path, ONLY_LOAD_BALANCER)];
  return invalids(path, loadBalancerClass, checkLabelKey(loadBalancerClass));
}

function checkTrafficPolicies(spec: Readonly<ServiceSpec>): FieldError[] {
  const { externalTrafficPolicy = "", healthCheckNodePort = 0 } = spec;
  const { internalTrafficPolicy, trafficDistribution } = spec;
  const errors: FieldError[] = [];
  if (isExternallyAccessible(spec)) {
    errors.push(
      ...checkChoice(SPEC.child("externalTrafficPolicy"), externalTrafficPolicy, POLICIES),
    );
  } else if (externalTrafficPolicy !== "") {
    const detail = "may only be set for externally-accessible services";
    const path = SPEC.child("externalTrafficPolicy");
    errors.push(FieldError.invalid(path, externalTrafficPolicy, detail));
  }
  const path = SPEC.child("healthCheckNodePort");
  if (!needsHealthCheck(spec)) {
    const detail =
      "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    if (healthCheckNodePort !== 0) {
      errors.push(FieldError.invalid(path, healthCheckNodePort, detail));
    }
  } else if (healthCheckNodePort === 0) errors.push(FieldError.required(path));
  else
    for (const each of invalids(path, healthCheckNodePort, checkPortNumber(healthCheckNodePort)))
      errors.push(each);
  const internal = SPEC.child("internalTrafficPolicy");
  if (internalTrafficPolicy === undefined) {
    if (TYPES_WITH_TRAFFIC.has(spec.type ?? "")) errors.push(FieldError.required(internal));
  } else if (!POLICIES.includes(internalTrafficPolicy)) {
    errors.push(FieldError.notSupported(internal, internalTrafficPolicy, POLICIES));
  }
  if (trafficDistribution !== undefined) {
    const known = ["PreferClose", "PreferSameZone", "PreferSameNode"];
    if (!known.includes(trafficDistribution)) {
      const at = SPEC.child("trafficDistribution");
      errors.push(FieldError.notSupported(at, trafficDistribution, known));
    }
  }
  return errors;
}

const TYPES_WITH_TRAFFIC: ReadonlySet<string> = new Set(["NodePort", "LoadBalancer", "ClusterIP"]);

/** A status names addresses only for a load balancer. */
export function checkLoadBalancerStatus(
  service: Readonly<Service>,
  old: Readonly<Service>,
): FieldError[] {
  const ingress = service.status?.loadBalancer?.ingress ?? [];
  const path = FieldPath.of("status", "loadBalancer", "ingress");
  if (ingress.length > 0 && !isLoadBalancer(specOf(service))) {
    const detail = "may only be used when `spec.type` is 'LoadBalancer'";
    return [FieldError.forbidden(path, detail)];
  }
  const known = new Set((old.status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip));
  return [...ingress.entries()].flatMap(([i, { ip = "", ipMode, hostname = "" }]) => {
    const at = path.index(i);
    const errors = ip === "" || known.has(ip) ? [] : checkIp(ip, at.child("ip"));
    const mode = at.child("ipMode");
    if (ipMode === undefined) {
      if (ip !== "") errors.push(FieldError.required(mode, "must be specified when `ip` is set"));
    } else if (ip === "") {
      errors.push(FieldError.forbidden(mode, "may not be specified when `ip` is not set"));
    } else if (ipMode !== "VIP" && ipMode !== "Proxy") {
      errors.push(FieldError.notSupported(mode, ipMode, ["Proxy", "VIP"]));
    }
    if (hostname === "") return errors;
    const problems = checkDns1123Subdomain(hostname);
    if (familyOfIp(hostname) !== undefined) problems.push("must be a DNS name, not an IP address");
    for (const each of invalids(at.child("hostname"), hostname, problems)) errors.push(each);
    return errors;
  });
}
