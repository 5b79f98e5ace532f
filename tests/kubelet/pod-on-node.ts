import type { KubeletPlane } from "./kubelet-plane.ts";

export interface PodShape {
  readonly name?: string;
  readonly ip?: string;
  readonly containers?: readonly object[];
}

const NODE = "node-1";
const MERGE = "application/merge-patch+json";

/** A running pod on the fake kubelet's node; its path. */
export async function podOnNode(
  { api, kubelet }: KubeletPlane,
  { name = "web", ip = "127.0.0.1", containers = [{ name: "main", image: "x" }] }: PodShape = {},
): Promise<string> {
  if ((await api.send("GET", `/api/v1/nodes/${NODE}`)).status === 404) {
    const node = { apiVersion: "v1", kind: "Node", metadata: { name: NODE } };
    await api.ask("POST", "/api/v1/nodes", { body: node });
    const addresses = [{ type: "InternalIP", address: "127.0.0.1" }];
    const daemonEndpoints = { kubeletEndpoint: { Port: kubelet.port } };
    const body = { status: { addresses, daemonEndpoints } };
    await api.ask("PATCH", `/api/v1/nodes/${NODE}/status`, { type: MERGE, body });
  }
  const path = "/api/v1/namespaces/default/pods";
  const spec = { nodeName: NODE, containers };
  await api.ask("POST", path, {
    body: { apiVersion: "v1", kind: "Pod", metadata: { name }, spec },
  });
  const status = { phase: "Running", podIP: ip, podIPs: [{ ip }] };
  await api.ask("PATCH", `${path}/${name}/status`, { type: MERGE, body: { status } });
  return `${path}/${name}`;
}
