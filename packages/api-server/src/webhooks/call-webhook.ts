import { type Clock, timeoutSignal } from "@homeostat/concurrency";
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import type { WebhookClientConfig } from "@homeostat/object-model/admissionregistration-v1";
import { type ServiceAddressOptions, serviceAddress } from "./service-address.ts";
import { type WebhookClient, WebhookError, type WebhookTarget } from "./webhook-client.ts";

/** What calls need of the plane. */
export interface WebhookPlane extends ServiceAddressOptions {
  readonly clock: Clock;
  readonly client: WebhookClient;
}

export interface WebhookCall {
  readonly clientConfig: WebhookClientConfig;
  /** The webhook is told of whole seconds. */
  readonly timeoutSeconds: number;
  readonly body: JsonObject;
  /** Ends it before its deadline. */
  readonly signal?: AbortSignal | undefined;
}

/** What the webhook of an object of users answers, in the time it has. */
export async function callWebhook(plane: WebhookPlane, call: WebhookCall): Promise<JsonValue> {
  const { timeoutSeconds, body, signal } = call;
  using deadline = timeoutSignal(plane.clock, timeoutSeconds * 1000, { signal });
  return await plane.client.post(targetOf(plane, call), body, { signal: deadline.signal });
}

function targetOf(
  plane: WebhookPlane,
  { clientConfig, timeoutSeconds: exactly }: WebhookCall,
): WebhookTarget {
  const timeoutSeconds = Math.ceil(exactly);
  const { url, service, caBundle } = clientConfig;
  const bundle = caBundle === undefined ? "" : Buffer.from(caBundle, "base64").toString().trim();
  const authorities = bundle === "" ? undefined : bundle;
  if (service === undefined) {
    return { url: url ?? "", authorities, serverName: undefined, timeoutSeconds };
  }
  const { name, namespace, port = 443, path = "" } = service;
  const serverName = `${name}.${namespace}.svc`;
  const at = `https://${serverName}:${port}${path.startsWith("/") || path === "" ? path : `/${path}`}`;
  try {
    const address = serviceAddress({ name, namespace, port }, plane);
    return { url: at, authorities, serverName, timeoutSeconds, address };
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    throw new WebhookError(`Post "${at}?timeout=${timeoutSeconds}s": ${error.message}`);
  }
}
