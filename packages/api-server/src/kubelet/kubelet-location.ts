import { ApiError, type GroupResource } from "@homeostat/object-model";
import type { Node, NodeAddress } from "@homeostat/object-model/core-v1";
import type { ObjectReader } from "../registry/strategy.ts";
import type { NodeAccess } from "./node-connector.ts";

/** Where kubelets listen that do not say. */
const DEFAULT_PORT = 10250;

export interface KubeletLocation {
  readonly host: string;
  readonly port: number;
}

export interface KubeletQuestion {
  readonly reader: ObjectReader;
  readonly access: NodeAccess;
  /** What the request is about: as in Kubernetes, a node that is not there is told as one of these. */
  readonly about: GroupResource;
}

/** Where the kubelet of a node says it is. */
export function locateKubelet(
  nodeName: string,
  { reader, access, about }: KubeletQuestion,
): KubeletLocation {
  const node = reader.get({ group: "", resource: "nodes" }, nodeName) as Node | undefined;
  if (node === undefined) throw ApiError.notFound(about, nodeName);
  const port = node.status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  return {
    host: preferredAddress(node.status?.addresses ?? [], access.addressTypes),
    port: port > 0 ? port : DEFAULT_PORT,
  };
}

function preferredAddress(addresses: readonly NodeAddress[], types: readonly string[]): string {
  for (const wanted of types) {
    const found = addresses.find(({ type }) => type === wanted);
    if (found !== undefined) return found.address;
  }
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(" ");
  throw new ApiError({
    message: `no preferred addresses found; known addresses: [${known}]`,
    httpStatus: 500,
  });
}
