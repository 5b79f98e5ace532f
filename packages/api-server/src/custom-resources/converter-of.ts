import type { CustomResourceDefinition } from "@homeostat/object-model/apiextensions-v1";
import type { Plane } from "../registry/plane.ts";
import { PlaneReader } from "../registry/plane-reader.ts";
import { renamingConverter, type VersionConverter } from "./version-converter.ts";
import { WebhookConverter } from "./webhook-converter.ts";

/** How the definition wants its versions to be converted. */
export function converterOf(
  { metadata, spec }: CustomResourceDefinition,
  plane: Plane,
): VersionConverter {
  const { conversion } = spec;
  const { webhook } = conversion ?? {};
  if (conversion?.strategy !== "Webhook" || webhook === undefined) return renamingConverter;
  const { clock, random, webhooks: client, settings } = plane;
  const { resolveService } = settings;
  return new WebhookConverter({
    clientConfig: webhook.clientConfig ?? {},
    reviewVersions: webhook.conversionReviewVersions,
    plane: { clock, client, reader: new PlaneReader(plane), resolveService },
    random,
    definition: metadata.name ?? "",
    figures: plane.figures.conversion,
  });
}
