/** Names around a pod: how it resolves others, and what it is called itself. */
import { checkDns1123Subdomain, FieldError } from "@homeostat/object-model";
import type { HostAlias, PodDNSConfig, PodSpec } from "@homeostat/object-model/core-v1";
import { eachLater, fields, type Place, type Rule, textIs } from "@homeostat/schema";
import { legacyIp } from "../checks/ip-addresses.ts";
import type { PodFacts } from "../pod-facts.ts";

/** Limits of the resolver in libc. */
const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;
const MAX_HOSTNAME = 64;

const LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const SEARCH_FORM = `${LABEL}(\\.${LABEL})*`;
const searchForm = new RegExp(`^${SEARCH_FORM}$`);
const SEARCH_RULE = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SEARCH_FORM}')`;

const searches: Rule<readonly string[]> = (list = [], place) => {
  if (list.length > MAX_SEARCHES) {
    place.invalid(list, `must not have more than ${MAX_SEARCHES} search paths`);
  }
  if (Buffer.byteLength(list.join(" ")) > MAX_SEARCH_CHARACTERS) {
    const why = `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`;
    place.invalid(list, why);
  }
  place.visitItems(list, (search, at) => {
    if (search === ".") return;
    const name = search.endsWith(".") ? search.slice(0, -1) : search;
    for (const problem of checkSearch(name)) at.invalid(name, problem);
  });
};

function checkSearch(name: string): string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(name) > 253) problems.push("must be no more than 253 characters");
  if (!searchForm.test(name)) problems.push(SEARCH_RULE);
  return problems;
}

const nameservers: Rule<readonly string[]> = (list = [], place) => {
  if (list.length > MAX_NAMESERVERS) {
    place.invalid(list, `must not have more than ${MAX_NAMESERVERS} nameservers`);
  }
  place.visitItems(list, legacyIp);
};

const configured = fields<PodDNSConfig, PodFacts>({
  nameservers,
  searches,
  options: eachLater((option, place) => {
    if (!option?.name) place.required("must not be empty");
  }),
});

export const dnsConfigRule: Rule<PodDNSConfig, PodFacts> = (config, place) => {
  if (place.context.spec.dnsPolicy === "None") {
    if (config === undefined) {
      return place.required("must provide `dnsConfig` when `dnsPolicy` is None");
    }
    if ((config.nameservers ?? []).length === 0) {
      const why = "must provide at least one DNS nameserver when `dnsPolicy` is None";
      return place.child("nameservers").required(why);
    }
  }
  if (config !== undefined) configured(config, place);
};

export const hostAliasesRule: Rule<readonly HostAlias[]> = eachLater(
  fields<HostAlias>({ ip: legacyIp, hostnames: eachLater(textIs(checkDns1123Subdomain)) }),
);

/** `place` is the spec's. */
export function checkHostnameOverride(spec: Readonly<PodSpec>, place: Place): void {
  const name = spec.hostnameOverride;
  if (name === undefined) return;
  const at = place.child("hostnameOverride");
  if (spec.setHostnameAsFQDN) at.forbidden("may not be specified when setHostnameAsFQDN is true");
  if (spec.hostNetwork) at.forbidden("may not be specified when hostNetwork is true");
  if (Buffer.byteLength(name) > MAX_HOSTNAME && at.path !== undefined) {
    at.add(FieldError.tooLong(at.path, MAX_HOSTNAME));
  }
  for (const problem of checkDns1123Subdomain(name)) at.invalid(name, problem);
}
