import { isIP } from "node:net";
import type { Random } from "@homeostat/concurrency";
import { ApiError, type GroupResource } from "@homeostat/object-model";
import type {
  EndpointAddress,
  EndpointSubset,
  Endpoints,
  Pod,
  Service,
} from "@homeostat/object-model/core-v1";
import { isGlobalAddress } from "../http/global-address.ts";
import { type KubeletQuestion, locateKubelet } from "./kubelet-location.ts";
import type { Destination } from "./node-connector.ts";

export interface ProxyQuestion extends KubeletQuestion {
  readonly namespace: string;
  /** `name`, `name:port` or `scheme:name:port`. */
  readonly id: string;
  readonly random: Random;
}

/** Everything but what is asked for there. */
export type ProxyPlace = Omit<Destination, "target">;

const PODS: GroupResource = { group: "", resource: "pods" };

/** A pod's own address; its first port where none is asked for. */
export function locatePod(question: ProxyQuestion): ProxyPlace {
  const { scheme, name, port } = split(question.id, "pod");
  const pod = question.reader.get(PODS, name, question.namespace) as Pod | undefined;
  if (pod === undefined) throw ApiError.notFound(PODS, name);
  const containers = pod.spec?.containers ?? [];
  const first = containers.find(({ ports = [] }) => ports.length > 0)?.ports?.[0]?.containerPort;
  const host = pod.status?.podIPs?.[0]?.ip ?? "";
  checkAddress(host, question);
  return workload(question, { scheme, host, port: port === "" ? first : readPort(port) });
}

/** The kubelet of a node, or another port of its machine. */
export function locateNode(question: ProxyQuestion): ProxyPlace {
  const { scheme, name, port } = split(question.id, "node");
  const kubelet = locateKubelet(name, question);
  if (isIP(kubelet.host) !== 0) checkAddress(kubelet.host, question);
  if (port !== "" && port !== String(kubelet.port)) {
    return workload(question, { scheme, host: kubelet.host, port: readPort(port) });
  }
  const globalOnly = !question.access.allowLocalAddresses;
  return { scheme: "https", ...kubelet, peer: "kubelet", globalOnly };
}

/** One of the pods behind a service, as its Endpoints say and the pod confirms. */
export function locateService(question: ProxyQuestion): ProxyPlace {
  const { reader, namespace, id } = question;
  const { scheme, name, port } = split(id, "service");
  const services = { group: "", resource: "services" };
  const portName = /^[+-]?[0-9]+$/.test(port) ? namedPort(question, name, port) : port;
  const endpoints = reader.get({ group: "", resource: "endpoints" }, name, namespace) as
    | Endpoints
    | undefined;
  if (endpoints === undefined) throw ApiError.notFound(services, name);
  const subsets = endpoints.subsets ?? [];
  if (subsets.length === 0) throw unavailable(name);
  for (const { addresses = [], ports = [] } of rotated(subsets, question.random)) {
    const found = ports.find((each) => (each.name ?? "") === portName);
    if (found === undefined) continue;
    const address = rotated(addresses, question.random).find((each) => isOfPod(each, question));
    if (address === undefined) continue;
    checkAddress(address.ip, question);
    return workload(question, { scheme, host: address.ip, port: found.port });
  }
  throw unavailable(id);
}

function namedPort({ reader, namespace }: ProxyQuestion, name: string, port: string): string {
  const services = { group: "", resource: "services" };
  const service = reader.get(services, name, namespace) as Service | undefined;
  if (service === undefined) throw ApiError.notFound(services, name);
  const found = service.spec?.ports?.find((each) => BigInt(each.port) === BigInt(port));
  if (found !== undefined) return found.name ?? "";
  throw ApiError.serviceUnavailable(
    `no service port ${BigInt(port)} found for service ${JSON.stringify(name)}`,
  );
}

function unavailable(id: string): ApiError {
  return ApiError.serviceUnavailable(`no endpoints available for service ${JSON.stringify(id)}`);
}

/** Endpoints are written by many; they are believed where the pod says the same. */
function isOfPod({ ip, targetRef }: EndpointAddress, question: ProxyQuestion): boolean {
  if (targetRef === undefined || targetRef.namespace !== question.namespace) return false;
  const found = question.reader.get(PODS, targetRef.name ?? "", question.namespace);
  return (found as Pod | undefined)?.status?.podIPs?.some((each) => each.ip === ip) === true;
}

function rotated<T extends EndpointSubset | EndpointAddress>(
  items: readonly T[],
  random: Random,
): readonly T[] {
  const start = items.length < 2 ? 0 : random.below(items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

function workload(
  { access }: ProxyQuestion,
  at: { readonly scheme: string; readonly host: string; readonly port: number | undefined },
): ProxyPlace {
  const scheme = at.scheme === "https" ? "https" : "http";
  return {
    scheme,
    host: at.host,
    port: at.port ?? (scheme === "https" ? 443 : 80),
    peer: "workload",
    globalOnly: !access.allowLocalAddresses,
  };
}

function checkAddress(address: string, { access }: ProxyQuestion): void {
  const isAllowed = isIP(address) !== 0 && (access.allowLocalAddresses || isGlobalAddress(address));
  if (!isAllowed) throw ApiError.badRequest("address not allowed");
}

/** Only a service knows ports by name; anything else fails as dialling it would. */
function readPort(text: string): number {
  const isNumber = /^[0-9]+$/.test(text);
  if (isNumber && Number(text) < 65_536) return Number(text);
  const why = isNumber ? `address ${text}: invalid port` : `lookup tcp/${text}: unknown port`;
  throw ApiError.serviceUnavailable(`error trying to reach service: dial tcp: ${why}`);
}

function split(id: string, what: string): { scheme: string; name: string; port: string } {
  const parts = id.split(":");
  const [scheme, name, port] =
    parts.length === 1
      ? ["", parts[0]!, ""]
      : parts.length === 2
        ? ["", parts[0]!, parts[1]!]
        : [parts[0]!, parts[1]!, parts[2]!];
  const isValid = parts.length <= 3 && name !== "" && ["http", "https", ""].includes(scheme);
  if (!isValid) throw ApiError.badRequest(`invalid ${what} request ${JSON.stringify(id)}`);
  return { scheme, name, port };
}
