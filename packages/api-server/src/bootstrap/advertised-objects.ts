/** What only a server that clients can reach writes: where it is, and whom it trusts. */
import type { Endpoints } from "@homeostat/object-model/core-v1";
import type { EndpointSlice } from "@homeostat/object-model/discovery-v1";
import { type BootstrapObject, systemData } from "./bootstrap-objects.ts";
import type { ServerIdentity } from "./identity-lease.ts";
import { keyFields, writtenByServer } from "./server-written.ts";

/** Where a server is, for those who look for it in what it serves. */
export interface Advertised extends ServerIdentity {
  /** PEM of the authority of client certificates, to be found by servers behind this one. */
  readonly clientAuthority: string;
}

export function advertisedObjects(advertised: Advertised, now: string): readonly BootstrapObject[] {
  return [
    { group: "", resource: "endpoints", object: endpoints(advertised, now) },
    { group: "discovery.k8s.io", resource: "endpointslices", object: slice(advertised, now) },
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
