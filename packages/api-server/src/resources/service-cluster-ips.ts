/**
 * The linked fields clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy: how what the client left
 * out is inferred before an address is given, and which combinations are refused. This plane gives
 * IPv4 addresses only, so it behaves as a Kubernetes cluster with one IPv4 range.
 */
import { isIPv4, isIPv6 } from "node:net";
import { ApiError, FieldError, FieldPath } from "@homeostat/object-model";
import type { Service, ServiceSpec } from "@homeostat/object-model/core-v1";
import { checkLegacyIp } from "../rules/checks/ip-addresses.ts";
import { isExternalName, isHeadless, NO_CLUSTER_IP, sameTexts, specOf } from "./service-traits.ts";

const SPEC = FieldPath.of("spec");
const CLUSTER_IPS = SPEC.child("clusterIPs");
const FAMILIES = SPEC.child("ipFamilies");
const POLICY = SPEC.child("ipFamilyPolicy");

const FAMILY = "IPv4";
const KNOWN_FAMILIES = ["IPv4", "IPv6"];
const KNOWN_POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];

export function invalidService(service: Service, errors: readonly FieldError[]): ApiError {
  const kind = { group: "", kind: "Service" };
  return ApiError.invalid(kind, service.metadata.name ?? "", errors);
}

/** Old clients know only the singular field: the plural one follows it. */
export function alignClusterIps(spec: ServiceSpec, old: Readonly<ServiceSpec> | undefined): void {
  const { clusterIP = "", clusterIPs = [] } = spec;
  if (!old) {
    if (clusterIP !== "" && clusterIPs.length === 0) spec.clusterIPs = [clusterIP];
    return;
  }
  const before = old.clusterIPs ?? [];
  if (clusterIP === (old.clusterIP ?? "")) {
    if (before.length > 0 && clusterIPs.length === 0) spec.clusterIPs = [...before];
  } else if (sameTexts(before, clusterIPs)) {
    if (clusterIP === "") delete spec.clusterIPs;
    else spec.clusterIPs = [clusterIP];
  }
}

/** Sets ipFamilyPolicy and ipFamilies as far as they follow from the rest; throws if they cannot. */
export function inferIpFamilies(service: Service, old: Readonly<Service> | undefined): void {
  const spec = (service.spec ??= {});
  const before = old && specOf(old);
  if (isExternalName(spec) || isUnchangedPreference(spec, before)) return;
  const selectorless = Object.keys(spec.selector ?? {}).length === 0;
  const freeFamilies = spec.clusterIP === NO_CLUSTER_IP && selectorless;
  spec.ipFamilyPolicy ??=
    before?.ipFamilyPolicy ?? (freeFamilies ? "RequireDualStack" : "SingleStack");
  refuse(service, checkClusterIps(service, old));
  refuse(service, [
    ...(before ? shrink(spec, before) : []),
    ...checkSingleStack(spec),
    ...familiesOfIps(spec),
  ]);
  if (freeFamilies) {
    spec.ipFamilies ??= [];
    if (spec.ipFamilies.length === 0) spec.ipFamilies = [FAMILY];
    const [first] = spec.ipFamilies;
    if (spec.ipFamilies.length < 2 && spec.ipFamilyPolicy !== "SingleStack") {
      spec.ipFamilies = [first ?? FAMILY, first === "IPv4" ? "IPv6" : "IPv4"];
    }
    return;
  }
  refuse(service, checkConfigured(spec));
  if ((spec.ipFamilies ?? []).length === 0) spec.ipFamilies = [FAMILY];
}

/** A Service that prefers two families is left alone while it keeps what it has. */
function isUnchangedPreference(
  spec: Readonly<ServiceSpec>,
  old: Readonly<ServiceSpec> | undefined,
): boolean {
  return (
    old !== undefined &&
    spec.ipFamilyPolicy === "PreferDualStack" &&
    (old.ipFamilyPolicy || "PreferDualStack") === "PreferDualStack" &&
    old.type === spec.type &&
    ["ClusterIP", "NodePort", "LoadBalancer"].includes(spec.type ?? "") &&
    sameTexts(old.clusterIPs, spec.clusterIPs) &&
    sameTexts(old.ipFamilies, spec.ipFamilies)
  );
}

/** "SingleStack" drops the second address and family; without it nothing may be dropped. */
function shrink(spec: ServiceSpec, old: Readonly<ServiceSpec>): FieldError[] {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  if (ipFamilyPolicy === "SingleStack") {
    if (sameTexts(old.clusterIPs, clusterIPs) && clusterIPs.length > 1) {
      spec.clusterIPs = clusterIPs.slice(0, 1);
    }
    if (sameTexts(old.ipFamilies, ipFamilies) && ipFamilies.length > 1) {
      spec.ipFamilies = ipFamilies.slice(0, 1);
    }
    return [];
  }
  const errors: FieldError[] = [];
  if (isReduced(clusterIPs, old.clusterIPs)) {
    const detail = "must be 'SingleStack' to release the secondary cluster IP";
    errors.push(FieldError.invalid(POLICY, ipFamilyPolicy, detail));
  }
  if (isReduced(ipFamilies, old.ipFamilies)) {
    const detail = "must be 'SingleStack' to release the secondary IP family";
    errors.push(FieldError.invalid(POLICY, ipFamilyPolicy, detail));
  }
  return errors;
}

function isReduced(now: readonly string[], before: readonly string[] = []): boolean {
  return now.length > 0 && now.length < before.length;
}

function checkSingleStack(spec: Readonly<ServiceSpec>): FieldError[] {
  if (spec.ipFamilyPolicy !== "SingleStack") return [];
  const errors: FieldError[] = [];
  const detail = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  if (spec.clusterIPs?.length === 2) {
    errors.push(
      FieldError.invalid(POLICY, spec.ipFamilyPolicy, `${detail} cluster IPs are specified`),
    );
  }
  if (spec.ipFamilies?.length === 2) {
    errors.push(
      FieldError.invalid(POLICY, spec.ipFamilyPolicy, `${detail} IP families are specified`),
    );
  }
  return errors;
}

/** Families that were not given follow from the addresses that were. */
function familiesOfIps(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [] } = spec;
  if (clusterIPs[0] === NO_CLUSTER_IP) return [];
  const errors: FieldError[] = [];
  const families = [...(spec.ipFamilies ?? [])];
  for (const [i, ip] of clusterIPs.entries()) {
    if (i < families.length) continue;
    const family = isIPv4(ip) ? "IPv4" : "IPv6";
    if (family === FAMILY) families.push(family);
    else {
      const detail = `${family} is not configured on this cluster`;
      errors.push(FieldError.invalid(CLUSTER_IPS.index(i), clusterIPs, detail));
    }
  }
  if (families.length > 0) spec.ipFamilies = families;
  return errors;
}

function checkConfigured({ ipFamilyPolicy, ipFamilies = [] }: Readonly<ServiceSpec>): FieldError[] {
  const errors: FieldError[] = [];
  if (ipFamilyPolicy === "RequireDualStack") {
    const detail = "this cluster is not configured for dual-stack services";
    errors.push(FieldError.invalid(POLICY, ipFamilyPolicy, detail));
  }
  for (const [i, family] of ipFamilies.entries()) {
    if (family === FAMILY) continue;
    errors.push(FieldError.invalid(FAMILIES.index(i), family, "not configured on this cluster"));
  }
  return errors;
}

/** Whether the four fields fit together. Addresses that the old object had are not judged again. */
export function checkClusterIps(
  service: Readonly<Service>,
  old: Readonly<Service> | undefined,
): FieldError[] {
  const spec = specOf(service);
  if (isExternalName(spec)) return [];
  const { clusterIP = "", clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const errors: FieldError[] = [];
  if (clusterIP !== "") {
    if (clusterIPs.length === 0) errors.push(FieldError.required(CLUSTER_IPS));
    else if (clusterIPs[0] !== clusterIP) {
      errors.push(
        FieldError.invalid(CLUSTER_IPS, clusterIPs, "first value must match `clusterIP`"),
      );
    }
  } else if (clusterIPs.length > 0) {
    const detail = "must be empty when `clusterIP` is not specified";
    errors.push(FieldError.invalid(CLUSTER_IPS, clusterIPs, detail));
  }
  for (const [i, family] of ipFamilies.entries()) {
    const path = FAMILIES.index(i);
    if (!KNOWN_FAMILIES.includes(family)) {
      errors.push(FieldError.notSupported(path, family, KNOWN_FAMILIES));
    }
    if (ipFamilies.indexOf(family) < i) errors.push(FieldError.duplicate(path, family));
  }
  if (ipFamilyPolicy !== undefined && !KNOWN_POLICIES.includes(ipFamilyPolicy)) {
    errors.push(FieldError.notSupported(POLICY, ipFamilyPolicy, KNOWN_POLICIES));
  }
  const problems = checkEachIp(clusterIPs, old && specOf(old).clusterIPs);
  for (const each of problems) errors.push(each);
  if (clusterIPs.length > 2) {
    errors.push(FieldError.invalid(CLUSTER_IPS, clusterIPs, "may only hold up to 2 values"));
  }
  if (problems.length > 0) return errors;
  if (clusterIPs.length > 1 && !(clusterIPs.some(isIPv4) && clusterIPs.some(isIPv6))) {
    const detail = "may specify no more than one IP for each IP family";
    errors.push(FieldError.invalid(CLUSTER_IPS, clusterIPs, detail));
  }
  if (!isHeadless(spec))
    for (const each of checkFamilyOfEach(clusterIPs, ipFamilies)) errors.push(each);
  return errors;
}

function checkEachIp(clusterIPs: readonly string[], known: readonly string[] = []): FieldError[] {
  return [...clusterIPs.entries()].flatMap(([i, ip]) => {
    if (i > 0 || ip !== NO_CLUSTER_IP) {
      return known.includes(ip) ? [] : checkIp(ip, CLUSTER_IPS.index(i));
    }
    if (clusterIPs.length === 1) return [];
    const detail = "'None' must be the first and only value";
    return [FieldError.invalid(CLUSTER_IPS, clusterIPs, detail)];
  });
}

function checkFamilyOfEach(
  clusterIPs: readonly string[],
  ipFamilies: readonly string[],
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, ip] of clusterIPs.slice(0, ipFamilies.length).entries()) {
    const family = ipFamilies[i];
    const actual = isIPv6(ip) ? "IPv6" : "IPv4";
    if (family === actual || !KNOWN_FAMILIES.includes(family ?? "")) continue;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${i}]\``;
    errors.push(FieldError.invalid(CLUSTER_IPS.index(i), ip, detail));
  }
  return errors;
}

/** An address in a field older than strict checking: any spelling that means one thing only. */
export function checkIp(ip: string, path: FieldPath): FieldError[] {
  return checkLegacyIp(ip).map((problem) => FieldError.invalid(path, ip, problem));
}

function refuse(service: Service, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidService(service, errors);
}
