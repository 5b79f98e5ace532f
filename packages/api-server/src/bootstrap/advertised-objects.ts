/** What only a server that clients can reach writes: where it is, that it is there, whom it trusts. */
import { createHash } from "node:crypto";
import type { Lease } from "@homeostat/object-model/coordination-v1";
import type { Endpoints } from "@homeostat/object-model/core-v1";
import type { EndpointSlice } from "@homeostat/object-model/discovery-v1";
import { type BootstrapObject, systemData } from "./bootstrap-objects.ts";
import { keyFields, writtenByServer } from "./server-written.ts";

/** Where a server is, for those who look for it in what it serves. */
export interface Advertised {
  readonly address: string;
  readonly port: number;
  readonly hostname: string;
  /** PEM of the authority of client certificates, to be found by servers behind this one. */
  readonly clientAuthority: string;
}

const PEER_ADDRESS = "kubernetes.io/peer-advertise-address";
const IDENTITY = "apiserver.kubernetes.io/identity";
const HOST = "kubernetes.io/hostname";

export function advertisedObjects(advertised: Advertised, now: string): readonly BootstrapObject[] {
  return [
    { group: "", resource: "endpoints", object: endpoints(advertised, now) },
    { group: "discovery.k8s.io", resource: "endpointslices", object: slice(advertised, now) },
    { group: "coordination.k8s.io", resource: "leases", object: lease(advertised, now) },
    { group: "", resource: "configmaps", object: trusted(advertised, now) },
  ];
}

function trusted({ clientAuthority }: Advertised, now: string): object {
  const data = { "client-ca-file": clientAuthority };
  return systemData("extension-apiserver-authentication", data, now);
}

function endpoints({ address, port }: Advertised, now: string): Endpoints {
  const skipped = "endpointslice.kubernetes.io/skip-mirror";
  const fields = { "f:metadata": { "f:labels": keyFields(skipped) }, "f:subsets": {} };
  return {
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { [skipped]: "true" },
      managedFields: [writtenByServer({ apiVersion: "v1", now, fields })],
    },
    subsets: [{ addresses: [{ ip: address }], ports: [{ name: "https", port, protocol: "TCP" }] }],
  };
}

function slice({ address, port }: Advertised, now: string): EndpointSlice {
  const service = "kubernetes.io/service-name";
  const fields = {
    "f:addressType": {},
    "f:endpoints": {},
    "f:metadata": { "f:labels": keyFields(service) },
    "f:ports": {},
  };
  return {
    metadata: {
      name: "kubernetes",
      namespace: "default",
      generation: 1,
      labels: { [service]: "kubernetes" },
      managedFields: [writtenByServer({ apiVersion: "discovery.k8s.io/v1", now, fields })],
    },
    addressType: "IPv4",
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: "https", protocol: "TCP", port }],
  };
}

/** The same for every start on one host. Not renewed between starts: nobody else would take over. */
function lease({ address, port, hostname }: Advertised, now: string): Lease {
  const name = `apiserver-${identityOf(hostname)}`;
  const fields = {
    "f:metadata": {
      "f:annotations": keyFields(PEER_ADDRESS),
      "f:labels": keyFields(IDENTITY, HOST),
    },
    "f:spec": { "f:holderIdentity": {}, "f:leaseDurationSeconds": {}, "f:renewTime": {} },
  };
  return {
    metadata: {
      name,
      namespace: "kube-system",
      labels: { [IDENTITY]: "kube-apiserver", [HOST]: hostname },
      annotations: { [PEER_ADDRESS]: `${address}:${port}` },
      managedFields: [writtenByServer({ apiVersion: "coordination.k8s.io/v1", now, fields })],
    },
    spec: {
      holderIdentity: name,
      leaseDurationSeconds: 3600,
      renewTime: now.replace("Z", ".000000Z"),
    },
  };
}

const DIGITS = "abcdefghijklmnopqrstuvwxyz234567";

/** Half of the name's hash in base 32, as kube-apiserver makes it. */
function identityOf(hostname: string): string {
  const hash = createHash("sha256").update(hostname).digest().subarray(0, 16);
  const bits = [...hash].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.padEnd(130, "0").match(/.{5}/g) ?? [];
  return groups.map((group) => DIGITS[Number.parseInt(group, 2)]).join("");
}
