/** Endpoint slices. */
import {
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  FieldError,
} from "@homeostat/object-model";
import type {
  Endpoint,
  EndpointHints,
  EndpointPort,
  EndpointSlice,
} from "@homeostat/object-model/discovery-v1";
import {
  all,
  dns1123Label,
  dns1123Subdomain,
  each,
  fields,
  ifPresent,
  ifSet,
  Place,
  qualifiedName,
  type Rule,
  textIs,
} from "@homeostat/schema";
import { sameForm } from "../resources/internal-form.ts";
import { choice, optionalChoice } from "./checks/choices.ts";
import { endpointIp } from "./checks/endpoint-ips.ts";
import { immutableValue } from "./checks/immutable-parts.ts";
import { familyOfIp, legacyIp, strictIp } from "./checks/ip-addresses.ts";
import { labels } from "./checks/labels.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

const MAX_ENDPOINTS = 1000;
const MAX_PORTS = 20_000;
const MAX_ADDRESSES = 100;
const MAX_TOPOLOGY = 16;
const MAX_HINTS = 8;

export const endpointSliceRules: readonly NamedTypeRules[] = [
  rulesFor<EndpointSlice>("discovery.v1.EndpointSlice", {
    validate(slice, place) {
      shape(slice, place);
      endpoints(slice?.addressType)(slice?.endpoints, place.child("endpoints"));
    },
    validateChange({ value, old }, place) {
      shape(value, place);
      // What older rules let in may stay as it is.
      const found = Place.root(place.context, place.child("endpoints").path);
      endpoints(value?.addressType)(value?.endpoints, found);
      if (found.errors.length > 0 && !sameForm(value?.endpoints ?? null, old?.endpoints ?? null)) {
        place.add(...found.errors);
      }
      const change = { value: value?.addressType ?? "", old: old?.addressType ?? "" };
      immutableValue(change, place.child("addressType"));
    },
  }),
  rulesFor<EndpointPort>("discovery.v1.EndpointPort", { defaults: { name: "", protocol: "TCP" } }),
];

/** The other rules only for a list that is not too long. */
function limited<E>(max: number, rule: Rule<readonly E[]>): Rule<readonly E[]> {
  return (list = [], place) => {
    if (list.length <= max) rule(list, place);
    else if (place.path !== undefined) place.add(FieldError.tooMany(place.path, list.length, max));
  };
}

const port = fields<EndpointPort>({ name: ifSet(dns1123Label) });

const portRest = fields<EndpointPort>({
  protocol: (value, place) => {
    if (value === undefined) place.required();
    else optionalChoice("SCTP", "TCP", "UDP")(value, place);
  },
  appProtocol: ifPresent(qualifiedName),
});

const ports = limited<EndpointPort>(MAX_PORTS, (list, place) => {
  const names = new Set<string>();
  each<EndpointPort>((value, at) => {
    port(value, at);
    const name = value?.name ?? "";
    if (names.has(name)) at.child("name").duplicate(name);
    names.add(name);
    portRest(value, at);
  })(list, place);
});

const shape = fields<EndpointSlice>({ addressType: choice("FQDN", "IPv4", "IPv6"), ports });

function endpoints(addressType: string | undefined): Rule<readonly Endpoint[]> {
  return limited(MAX_ENDPOINTS, each(all(addresses(addressType ?? ""), endpoint)));
}

/** Addresses of other types are not looked at. */
function addresses(type: string): Rule<Endpoint> {
  return (value, parent) => {
    const list = value?.addresses ?? [];
    const place = parent.child("addresses");
    if (list.length === 0) place.required("must contain at least 1 address");
    else if (list.length > MAX_ADDRESSES && place.path !== undefined) {
      place.add(FieldError.tooMany(place.path, list.length, MAX_ADDRESSES));
    }
    for (const [index, text] of list.entries()) {
      const at = place.index(index);
      if (type === "FQDN") domainName(text, at);
      else if (type === "IPv4" || type === "IPv6") {
        const before = at.errors.length;
        (type === "IPv4" ? legacyIp : strictIp)(text, at);
        if (at.errors.length > before) continue;
        // Kubernetes names the list here, not the address.
        if (familyOfIp(text) !== (type === "IPv4" ? 4 : 6)) {
          place.invalid(text, `must be an ${type} address`);
        }
        endpointIp(text, at);
      }
    }
  };
}

/** With two labels or more; a dot may be at the end. */
const domainName: Rule<string> = (value = "", place) => {
  if (value === "") return place.required();
  const name = value.replace(/\.$/, "");
  const problems = checkDns1123Subdomain(name);
  if (problems.length > 0) return place.invalid(name, problems.join(","));
  const parts = name.split(".");
  if (parts.length < 2) {
    return place.invalid(name, "should be a domain with at least two segments separated by dots");
  }
  for (const part of parts) {
    const wrong = checkDns1123Label(part);
    if (wrong.length > 0) return place.invalid(part, wrong.join(","));
  }
};

const endpoint = fields<Endpoint>({
  nodeName: ifPresent(dns1123Subdomain),
  deprecatedTopology: (value, place) => {
    const count = Object.keys(value ?? {}).length;
    if (count > MAX_TOPOLOGY && place.path !== undefined) {
      place.add(FieldError.tooMany(place.path, count, MAX_TOPOLOGY));
    }
    labels(value, place);
  },
  hostname: ifPresent(dns1123Label),
  hints: ifPresent(hints),
});

/** Where too many are named, the rest is not looked at. */
function hints(value: EndpointHints | undefined, place: Place): void {
  for (const [name, rule] of [
    ["forZones", textIs(checkLabelValue)],
    ["forNodes", dns1123Subdomain],
  ] as const) {
    const list = value?.[name] ?? [];
    const at = place.child(name);
    if (list.length > MAX_HINTS && at.path !== undefined) {
      at.add(FieldError.tooMany(at.path, list.length, MAX_HINTS));
      return;
    }
    const names = new Set<string>();
    for (const [index, { name: text = "" }] of list.entries()) {
      const named = at.index(index).child("name");
      if (names.has(text)) named.duplicate(text);
      names.add(text);
      rule(text, named);
    }
  }
}
