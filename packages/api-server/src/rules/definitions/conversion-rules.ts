import { checkDns1035Label, checkDns1123Subdomain } from "@homeostat/object-model";
import type {
  CustomResourceConversion,
  ServiceReference,
  WebhookClientConfig,
} from "@homeostat/object-model/apiextensions-v1";
import type { Place } from "@homeostat/schema";
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
  { url, service, caBundle }: Readonly<WebhookClientConfig>,
  place: Place,
  { checksCaBundle }: ConversionOptions,
): void {
  if ((url === undefined) === (service === undefined)) {
    place.required("exactly one of url or service is required");
  } else if (url !== undefined) {
    checkUrl(url, place.child("url"));
  } else {
    checkService(service!, place.child("service"));
  }
  if (caBundle && checksCaBundle) {
    const problem = problemWithCaBundle(caBundle);
    if (problem !== undefined) place.child("caBundle").invalid(caBundle, problem);
  }
}

const FORM = "; desired format: https://host[/path]";

function checkUrl(url: string, place: Place): void {
  const parts =
    /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(
      url,
    );
  const problem = problemWithUrl(url);
  if (parts === null || problem !== undefined) {
    place.required(`url must be a valid URL: parse ${JSON.stringify(url)}: ${problem}${FORM}`);
    return;
  }
  const [, scheme = "", authority = "", , query = "", fragment = ""] = parts;
  const at = authority.lastIndexOf("@");
  const host = authority.slice(at + 1);
  if (scheme.toLowerCase() !== "https") {
    place.invalid(scheme.toLowerCase(), `'https' is the only allowed URL scheme${FORM}`);
  }
  if (host === "") place.invalid(host, `host must be specified${FORM}`);
  if (at >= 0) {
    place.invalid(authority.slice(0, at), "user information is not permitted in the URL");
  }
  if (fragment !== "") place.invalid(fragment, "fragments are not permitted in the URL");
  if (query !== "") place.invalid(query, "query parameters are not permitted in the URL");
}

/** What Go's url.Parse refuses, most of it. */
function problemWithUrl(url: string): string | undefined {
  for (let at = 0; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return "net/url: invalid control character in URL";
  }
  if (url.startsWith(":")) return "missing protocol scheme";
  const colon = url.indexOf(":");
  const slash = url.indexOf("/");
  const head = colon < 0 ? "" : url.slice(0, colon);
  if (colon > 0 && (slash < 0 || colon < slash) && !/^[a-zA-Z][a-zA-Z0-9+.-]*$/.test(head)) {
    return "first path segment in URL cannot contain colon";
  }
  const escape = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(url.split("#", 1)[0]!.split("?", 1)[0]!);
  if (escape !== null) return `invalid URL escape ${JSON.stringify(escape[0])}`;
  const host = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(url)?.[1] ?? "";
  if (host.startsWith("[") && !host.includes("]")) return "missing ']' in host";
  const bad = /[ "<>\\^`{|}]/.exec(host);
  if (bad !== null) return `invalid character ${JSON.stringify(bad[0])} in host name`;
  const port = /:([^\]:]*)$/.exec(host)?.[1];
  if (port !== undefined && !/^[0-9]*$/.test(port)) {
    return `invalid port ${JSON.stringify(`:${port}`)} after host`;
  }
  return undefined;
}

/** A missing name is told of the namespace and the other way round: kube-apiserver mixes them up. */
function checkService(service: Readonly<Partial<ServiceReference>>, place: Place): void {
  if (!service.namespace) place.child("name").required();
  if (!service.name) place.child("namespace").required();
  const { port = 443, path } = service;
  if (port < 1 || port > 65535) {
    place.child("port").invalid(port, "port is not valid: must be between 1 and 65535, inclusive");
  }
  if (path) checkServicePath(path, place.child("path"));
}

function checkServicePath(path: string, place: Place): void {
  if (path === "/") return;
  if (path === "//") {
    place.invalid(path, "segment[0] may not be empty");
    return;
  }
  if (!path.startsWith("/")) place.invalid(path, "must start with a '/'");
  const steps = path.slice(1).replace(/\/$/, "").split("/");
  for (const [index, step] of steps.entries()) {
    if (step === "") {
      place.invalid(path, `segment[${index}] may not be empty`);
      continue;
    }
    for (const problem of checkDns1123Subdomain(step)) {
      place.invalid(path, `segment[${index}]: ${problem}`);
    }
  }
}
