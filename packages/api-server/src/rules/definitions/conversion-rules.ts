import { checkDns1035Label } from "@homeostat/object-model";
import type {
  CustomResourceConversion,
  WebhookClientConfig,
} from "@homeostat/object-model/apiextensions-v1";
import type { Place } from "@homeostat/schema";
import { webhookAddress } from "../checks/webhook-addresses.ts";
import { problemWithCaBundle } from "./ca-bundle.ts";

export interface ConversionOptions {
  /** Whether one of the versions of ConversionReview must be one we speak. */
  readonly requiresKnownReviewVersion: boolean;
  /** Whether a bundle of certificates has to hold some. */
  readonly checksCaBundle: boolean;
}

/** How objects become those of another version. Names of fields are those of the first API version. */
export function checkConversion(
  conversion: Readonly<Partial<CustomResourceConversion>> | undefined,
  place: Place,
  options: ConversionOptions,
): void {
  if (conversion === undefined) return;
  checkOneOf(conversion.strategy, ["None", "Webhook"], place.child("strategy"));
  const config = conversion.webhook?.clientConfig;
  const versions = conversion.webhook?.conversionReviewVersions ?? [];
  const configPlace = place.child("webhookClientConfig");
  const versionsPlace = place.child("conversionReviewVersions");
  if (conversion.strategy !== "Webhook") {
    const detail = "should not be set when strategy is not set to Webhook";
    if (config !== undefined) configPlace.forbidden(detail);
    if (versions.length > 0) versionsPlace.forbidden(detail);
    return;
  }
  if (config === undefined) configPlace.required("required when strategy is set to Webhook");
  else checkClientConfig(config, configPlace, options);
  checkReviewVersions(versions, versionsPlace, options);
}

/** Absent is told as required. */
export function checkOneOf(
  value: string | undefined,
  known: readonly string[],
  place: Place,
): void {
  if (!value) place.required();
  else if (!known.includes(value)) place.notSupported(value, known);
}

const KNOWN_REVIEW_VERSIONS = ["v1", "v1beta1"];

export function speaksReviewVersion(versions: readonly string[] | undefined): boolean {
  if (versions === undefined || versions.length === 0) return true;
  return versions.some((version) => KNOWN_REVIEW_VERSIONS.includes(version));
}

function checkReviewVersions(
  versions: readonly string[],
  place: Place,
  { requiresKnownReviewVersion }: ConversionOptions,
): void {
  if (versions.length === 0) {
    place.required();
    return;
  }
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    const at = place.index(index);
    if (seen.has(version)) {
      at.invalid(version, "duplicate version");
      continue;
    }
    seen.add(version);
    for (const problem of checkDns1035Label(version)) at.invalid(version, problem);
  }
  if (requiresKnownReviewVersion && !speaksReviewVersion(versions)) {
    place.invalid(versions, `must include at least one of ${KNOWN_REVIEW_VERSIONS.join(", ")}`);
  }
}

function checkClientConfig(
  config: Readonly<WebhookClientConfig>,
  place: Place,
  { checksCaBundle }: ConversionOptions,
): void {
  webhookAddress(config, place);
  const { caBundle } = config;
  if (caBundle && checksCaBundle) {
    const problem = problemWithCaBundle(caBundle);
    if (problem !== undefined) place.child("caBundle").invalid(caBundle, problem);
  }
}
