/**
 * Services: each gets its cluster address and node ports from the pools of the plane as it is
 * prepared, so that validation sees them, and takes them in the commit that stores it
 * (`companions`): an address as an IPAddress object, a port as a claim. What a Service holds is
 * read from its spec alone, so a change of type, an update and a removal release exactly what the
 * new spec no longer holds. Answers to dry runs show made-up values and hold nothing.
 */
import {
  ApiError,
  checkPathSegmentName,
  FieldError,
  FieldPath,
  type GroupResource,
} from "@homeostat/object-model";
import type { Service, ServiceSpec } from "@homeostat/object-model/core-v1";
import type { IPAddress } from "@homeostat/object-model/networking-v1";
import type { Change, Companion, Strategy, WriteContext } from "../registry/strategy.ts";
import { nameIsDnsLabel } from "./object-meta.ts";
import { alignClusterIps, inferIpFamilies, invalidService } from "./service-cluster-ips.ts";
import { allocateNodePorts, keepNodePorts, updateNodePorts } from "./service-node-ports.ts";
import {
  ALREADY_ALLOCATED_IP,
  checkAddress,
  chooseAddress,
  IP_ADDRESSES,
  isAddressTaken,
  nodePortClaim,
  PortRequest,
} from "./service-pools.ts";
import {
  addressesOf,
  isExternallyAccessible,
  isExternalName,
  isLoadBalancer,
  needsHealthCheck,
  nodePortsOf,
  opensNodePorts,
  sameTexts,
  specOf,
} from "./service-traits.ts";
import { checkLoadBalancerStatus, checkService, checkServiceUpdate } from "./service-validation.ts";
import { ingressWarnings, serviceWarnings } from "./service-warnings.ts";

const ENDPOINTS: GroupResource = { group: "", resource: "endpoints" };

/**
 * What the server chose for an object that is being written, and whether it has been offered to the
 * store: if somebody else was faster, these are chosen anew and what the client asked for is not.
 */
interface Choices {
  address: boolean;
  readonly ports: Set<number>;
  healthCheck: boolean;
  offered: boolean;
}

const choicesOf = new WeakMap<Service, Choices>();

export const services: Strategy<Service> = {
  createOnUpdate: true,
  checkName: nameIsDnsLabel,
  selectableFields: {
    "spec.clusterIP": (service) => specOf(service).clusterIP ?? "",
    "spec.type": (service) => specOf(service).type ?? "",
  },

  prepareForCreate(service, context) {
    const spec = (service.spec ??= {});
    alignClusterIps(spec, undefined);
    inferIpFamilies(service, undefined);
    const choices = newChoices(service);
    allocateAddress(service, context);
    const request = new PortRequest(context);
    if (opensNodePorts(spec)) noteAll(choices.ports, allocateNodePorts(service, request));
    if (needsHealthCheck(spec)) allocateHealthCheck(service, request);
    dropInternalTrafficPolicy(spec);
  },

  prepareForUpdate(service, old, context) {
    const spec = (service.spec ??= {});
    const before = specOf(old);
    keepAllocated(spec, before);
    alignClusterIps(spec, before);
    inferIpFamilies(service, old);
    const choices = newChoices(service);
    if (isExternalName(before) && !isExternalName(spec)) allocateAddress(service, context);
    const request = new PortRequest(context);
    if (opensNodePorts(spec)) noteAll(choices.ports, updateNodePorts(service, old, request));
    if (needsHealthCheck(spec) && !needsHealthCheck(before)) allocateHealthCheck(service, request);
    dropWhatTheTypeLost(service, before);
    dropInternalTrafficPolicy(spec);
  },

  validate: (service) => checkService(service, undefined),
  validateUpdate: (service, old) => checkServiceUpdate(service, old),
  warnings: (service) => serviceWarnings(service),

  subresources: {
    status: {
      prepareForUpdate(service, old) {
        if (old.spec) service.spec = old.spec;
        else delete service.spec;
      },
      validateUpdate: (service, old) => checkLoadBalancerStatus(service, old),
      warnings: ingressWarnings,
    },
  },

  companions(change, context) {
    if (context.dryRun) return [];
    chooseAnew(change, context);
    return [...addressCompanions(change, context), ...portCompanions(change, context)];
  },
};

function newChoices(service: Service): Choices {
  const choices = { address: false, ports: new Set<number>(), healthCheck: false, offered: false };
  choicesOf.set(service, choices);
  return choices;
}

function noteAll(set: Set<number>, indexes: readonly number[]): void {
  for (const index of indexes) set.add(index);
}

/** Takes the address that was asked for, or any. The Service has its family already. */
function allocateAddress(service: Service, context: WriteContext): void {
  const spec = (service.spec ??= {});
  if (isExternalName(spec) || spec.clusterIPs?.[0] === "None") return;
  const [wanted = ""] = spec.clusterIPs ?? [];
  if (wanted !== "") {
    const problem = checkAddress(wanted, context);
    if (problem !== undefined) throw refusedAddress(service, problem);
    return;
  }
  const address = chooseAddress(service.metadata.name ?? "", context);
  const unnamable = checkPathSegmentName(service.metadata.name ?? "");
  if (!context.dryRun && unnamable.length > 0) {
    throw refusedAddress(service, nameRefusal(service, address, unnamable));
  }
  setAddress(spec, address);
  const choices = choicesOf.get(service);
  if (choices) choices.address = true;
}

function setAddress(spec: ServiceSpec, address: string): void {
  spec.clusterIP = address;
  spec.clusterIPs = [address];
}

/** The IPAddress of a Service names it, and is written before the Service itself is checked. */
function nameRefusal(service: Service, address: string, problems: readonly string[]): string {
  const path = FieldPath.of("spec", "parentRef", "name");
  const errors = problems.map((why) => FieldError.invalid(path, service.metadata.name ?? "", why));
  const kind = { group: IP_ADDRESSES.group, kind: "IPAddress" };
  return ApiError.invalid(kind, address, errors).message;
}

function refusedAddress(service: Service, problem: string): ApiError {
  const { clusterIPs = [""] } = specOf(service);
  const [wanted = ""] = clusterIPs;
  const detail = `failed to allocate IP${wanted === "" ? "" : ` ${wanted}`}: ${problem}`;
  const error = FieldError.invalid(FieldPath.of("spec", "clusterIPs"), clusterIPs, detail);
  return invalidService(service, [error]);
}

function allocateHealthCheck(service: Service, request: PortRequest): void {
  const spec = (service.spec ??= {});
  const wanted = spec.healthCheckNodePort ?? 0;
  if (wanted !== 0) {
    const problem = request.take(wanted);
    if (problem === undefined) return;
    const what = `failed to allocate requested HealthCheck NodePort ${wanted}`;
    throw ApiError.internalError(new Error(`${what}: ${problem}`));
  }
  spec.healthCheckNodePort = request.takeAny();
  const choices = choicesOf.get(service);
  if (choices) choices.healthCheck = true;
}

/** An update without the values the server chose means to keep them. */
function keepAllocated(spec: ServiceSpec, old: Readonly<ServiceSpec>): void {
  if (!isExternalName(old) && !isExternalName(spec)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
    if ((spec.clusterIPs ?? []).length === 0 && old.clusterIPs) {
      spec.clusterIPs = [...old.clusterIPs];
    }
  }
  keepNodePorts(spec, old);
  if (needsHealthCheck(old) && needsHealthCheck(spec) && old.healthCheckNodePort) {
    spec.healthCheckNodePort ||= old.healthCheckNodePort;
  }
}

/**
 * A change of type drops the fields that no longer apply, if the client left them as they were: a
 * value that was changed as well is left for validation to refuse.
 */
function dropWhatTheTypeLost(service: Service, old: Readonly<ServiceSpec>): void {
  const spec = (service.spec ??= {});
  if (!isExternalName(old) && isExternalName(spec)) {
    if (old.clusterIP === spec.clusterIP && sameTexts(old.clusterIPs, spec.clusterIPs)) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (sameTexts(old.ipFamilies, spec.ipFamilies)) delete spec.ipFamilies;
    if (old.ipFamilyPolicy === spec.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  if (opensNodePorts(old) && !opensNodePorts(spec)) {
    const before = new Set((old.ports ?? []).map(({ nodePort = 0 }) => nodePort));
    const ports = spec.ports ?? [];
    if (ports.every(({ nodePort = 0 }) => nodePort === 0 || before.has(nodePort))) {
      for (const port of ports) delete port.nodePort;
    }
  }
  if (
    needsHealthCheck(old) &&
    !needsHealthCheck(spec) &&
    (old.healthCheckNodePort ?? 0) === (spec.healthCheckNodePort ?? 0)
  ) {
    delete spec.healthCheckNodePort;
  }
  if (isLoadBalancer(old) && !isLoadBalancer(spec)) {
    if (old.allocateLoadBalancerNodePorts === spec.allocateLoadBalancerNodePorts) {
      delete spec.allocateLoadBalancerNodePorts;
    }
    if (old.loadBalancerClass === spec.loadBalancerClass) delete spec.loadBalancerClass;
  }
  if (
    isExternallyAccessible(old) &&
    !isExternallyAccessible(spec) &&
    old.externalTrafficPolicy === spec.externalTrafficPolicy
  ) {
    delete spec.externalTrafficPolicy;
  }
  if (!isLoadBalancer(spec) && service.status?.loadBalancer?.ingress) {
    service.status = { ...service.status, loadBalancer: {} };
  }
}

/** The policy means nothing for an ExternalName and is never shown; a wrong one is still refused. */
function dropInternalTrafficPolicy(spec: ServiceSpec): void {
  if (isExternalName(spec) && ["Cluster", "Local"].includes(spec.internalTrafficPolicy ?? "")) {
    delete spec.internalTrafficPolicy;
  }
}

/** Called when the store refused what was offered first: what the server chose is chosen anew. */
function chooseAnew({ object }: Change<Service>, context: WriteContext): void {
  const choices = object && choicesOf.get(object);
  if (!object || !choices) return;
  if (!choices.offered) {
    choices.offered = true;
    return;
  }
  const spec = (object.spec ??= {});
  if (choices.address) setAddress(spec, chooseAddress(object.metadata.name ?? "", context));
  const request = new PortRequest(context);
  for (const [i, port] of (spec.ports ?? []).entries()) {
    if (!choices.ports.has(i) && port.nodePort) request.take(port.nodePort);
  }
  const replaced = new Map<number, number>();
  for (const index of choices.ports) {
    const port = spec.ports?.[index];
    if (!port) continue;
    const nodePort = replaced.get(port.nodePort ?? 0) ?? request.takeAny();
    replaced.set(port.nodePort ?? 0, nodePort);
    port.nodePort = nodePort;
  }
  if (choices.healthCheck) spec.healthCheckNodePort = request.takeAny();
}

function addressCompanions(change: Change<Service>, { reader }: WriteContext): Companion[] {
  const held = change.old ? addressesOf(specOf(change.old)) : [];
  const wanted = change.object ? addressesOf(specOf(change.object)) : [];
  const companions: Companion[] = [];
  for (const name of held) {
    if (wanted.includes(name) || !isAddressTaken(reader, name)) continue;
    companions.push({ action: "delete", resource: IP_ADDRESSES, name });
  }
  for (const name of wanted) {
    if (held.includes(name) || !change.object) continue;
    if (isAddressTaken(reader, name)) {
      throw refusedAddress(change.object, ALREADY_ALLOCATED_IP);
    }
    const object = ipAddressOf(change.object, name);
    companions.push({ action: "create", resource: IP_ADDRESSES, object });
  }
  if (!change.object)
    for (const each of endpointsCompanions(change.old, reader)) companions.push(each);
  return companions;
}

/** The Endpoints of the same name go with their Service, so that the next one does not inherit them. */
function endpointsCompanions(
  service: Readonly<Service> | undefined,
  reader: WriteContext["reader"],
): Companion[] {
  const { name = "", namespace = "" } = service?.metadata ?? {};
  if (!reader.get(ENDPOINTS, name, namespace)) return [];
  return [{ action: "delete", resource: ENDPOINTS, namespace, name }];
}

function ipAddressOf(service: Readonly<Service>, address: string): IPAddress {
  const { name = "", namespace = "" } = service.metadata;
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "IPAddress",
    metadata: {
      name: address,
      labels: {
        "ipaddress.kubernetes.io/ip-family": "IPv4",
        "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
      },
    },
    spec: { parentRef: { resource: "services", namespace, name } },
  };
}

function portCompanions(change: Change<Service>, { reader }: WriteContext): Companion[] {
  const held = change.old ? nodePortsOf(specOf(change.old)) : new Set<number>();
  const wanted = change.object ? nodePortsOf(specOf(change.object)) : new Set<number>();
  const companions: Companion[] = [];
  for (const port of held) {
    if (!wanted.has(port)) companions.push({ action: "release", claim: nodePortClaim(port) });
  }
  for (const port of wanted) {
    if (held.has(port)) continue;
    if (change.object && reader.isClaimed(nodePortClaim(port))) {
      throw refusedNodePort(change.object, port);
    }
    companions.push({ action: "claim", claim: nodePortClaim(port) });
  }
  return companions;
}

function refusedNodePort(service: Service, port: number): ApiError {
  const index = (specOf(service).ports ?? []).findIndex(({ nodePort }) => nodePort === port);
  const path =
    index < 0
      ? FieldPath.of("spec", "healthCheckNodePort")
      : FieldPath.of("spec", "ports").index(index).child("nodePort");
  return invalidService(service, [
    FieldError.invalid(path, port, "provided port is already allocated"),
  ]);
}
