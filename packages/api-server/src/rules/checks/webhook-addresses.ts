/** Where a webhook is called: a URL, or a service of the cluster. */
import { checkDns1123Subdomain } from "@homeostat/object-model";
import type {
  ServiceReference,
  WebhookClientConfig,
} from "@homeostat/object-model/admissionregistration-v1";
import type { Rule } from "@homeostat/schema";
import { checkPortNumber } from "./ports.ts";

export const webhookAddress: Rule<Pick<WebhookClientConfig, "service" | "url">> = (
  config,
  place,
) => {
  const { url, service } = config ?? {};
  if ((url === undefined) === (service === undefined)) {
    place.required("exactly one of url or service is required");
  } else if (url !== undefined) webhookUrl(url, place.child("url"));
  else webhookService(service, place.child("service"));
};

const FORM = "; desired format: https://host[/path]";
const URL_PARTS =
  /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

const webhookUrl: Rule<string> = (url = "", place) => {
  const parts = URL_PARTS.exec(url);
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
};

/** What Go's url.Parse refuses, most of it. */
function problemWithUrl(url: string): string | undefined {
  for (let at = 0; at < url.length; at += 1) {
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
  const [beforeQuery = ""] = url.split(/[?#]/, 1);
  const escape = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(beforeQuery);
  if (escape !== null) return `invalid URL escape ${JSON.stringify(escape[0])}`;
  const host = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(url)?.[1] ?? "";
  return problemWithHost(host);
}

function problemWithHost(host: string): string | undefined {
  if (host.startsWith("[") && !host.includes("]")) return "missing ']' in host";
  // Only bytes that are no characters of ASCII may be escaped here.
  const escape = /%(?!25)[0-7][0-9a-fA-F]/.exec(host);
  if (escape !== null) return `invalid URL escape ${JSON.stringify(escape[0])}`;
  const bad = /[ \\^`{|}]/.exec(host);
  if (bad !== null) return `invalid character ${JSON.stringify(bad[0])} in host name`;
  const port = /:([^\]:]*)$/.exec(host)?.[1];
  if (port === undefined || /^[0-9]*$/.test(port)) return undefined;
  return `invalid port ${JSON.stringify(`:${port}`)} after host`;
}

/** A missing name is told of the namespace and the other way round: kube-apiserver mixes them up. */
const webhookService: Rule<ServiceReference> = (service, place) => {
  const { name, namespace, port = 0, path } = service ?? {};
  if (!namespace) place.child("name").required();
  if (!name) place.child("namespace").required();
  const problems = checkPortNumber(port);
  if (problems.length > 0) {
    place.child("port").invalid(port, `port is not valid: ${problems.join(", ")}`);
  }
  if (path) webhookPath(path, place.child("path"));
};

const webhookPath: Rule<string> = (path = "", place) => {
  if (path === "/") return;
  if (path === "//") return place.invalid(path, "segment[0] may not be empty");
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
};
