import type { CustomResourceDefinition } from "@homeostat/object-model/apiextensions-v1";
import type { Plane } from "../registry/plane.ts";
import type { WebhookTarget } from "../webhooks/webhook-client.ts";
import { renamingConverter, type VersionConverter } from "./version-converter.ts";
import { WebhookConverter } from "./webhook-converter.ts";

/** As kube-apiserver waits for a webhook that sets no limit itself. */
const TIMEOUT_SECONDS = 30;

/** How the definition wants its versions to be converted. */
export function converterOf(
  { spec }: CustomResourceDefinition,
  { webhooks, random }: Plane,
): VersionConverter {
  const { conversion } = spec;
  const { webhook } = conversion ?? {};
  if (conversion?.strategy !== "Webhook" || webhook === undefined) return renamingConverter;
  const { clientConfig, conversionReviewVersions } = webhook;
  return new WebhookConverter({
    target: targetOf(clientConfig ?? {}),
    reviewVersions: conversionReviewVersions,
    client: webhooks,
    random,
  });
}

type ClientConfig = NonNullable<
  NonNullable<
    NonNullable<CustomResourceDefinition["spec"]["conversion"]>["webhook"]
  >["clientConfig"]
>;

function targetOf({ url, service, caBundle }: ClientConfig): WebhookTarget {
  const bundle = caBundle === undefined ? "" : Buffer.from(caBundle, "base64").toString().trim();
  const authorities = bundle === "" ? undefined : bundle;
  if (url !== undefined || service === undefined) {
    return { url: url ?? "", authorities, serverName: undefined, timeoutSeconds: TIMEOUT_SECONDS };
  }
  const { name, namespace, port = 443, path = "" } = service;
  const host = `${name}.${namespace}.svc`;
  return {
    url: `https://${host}:${port}${path.startsWith("/") || path === "" ? path : `/${path}`}`,
    authorities,
    serverName: host,
    timeoutSeconds: TIMEOUT_SECONDS,
  };
}
