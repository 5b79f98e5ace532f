import { goQuote } from "@homeostat/object-model";
import type { Service } from "@homeostat/object-model/core-v1";
import type { ObjectReader } from "../registry/strategy.ts";
import { type ServiceLocation, type WebhookAddress, WebhookError } from "./webhook-client.ts";

/** Where a plane reaches a Service: at its cluster address, unless somebody else knows better. */
export function serviceAddress(
  location: ServiceLocation,
  { reader, resolveService }: ServiceAddressOptions,
): WebhookAddress {
  const known = resolveService?.(location);
  if (known !== undefined) return known;
  const { namespace, name, port } = location;
  const found = reader.get({ group: "", resource: "services" }, name, namespace);
  if (found === undefined) throw new WebhookError(`service ${goQuote(name)} not found`);
  const {
    type = "ClusterIP",
    clusterIP = "",
    externalName = "",
    ports = [],
  } = (found as Service).spec ?? {};
  if (type === "ExternalName") return { host: externalName, port };
  if (type === "ClusterIP" && clusterIP === "None") {
    throw new WebhookError('cannot route to service with ClusterIP "None"');
  }
  if (!ports.some((each) => each.port === port)) {
    throw new WebhookError(`no service port ${port} found for service ${goQuote(name)}`);
  }
  return { host: clusterIP, port };
}

export interface ServiceAddressOptions {
  readonly reader: ObjectReader;
  /** Undefined for a Service that it does not know. */
  readonly resolveService?: ((service: ServiceLocation) => WebhookAddress | undefined) | undefined;
}
