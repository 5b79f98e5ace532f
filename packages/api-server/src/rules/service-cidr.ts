/** Ranges of service addresses, and the addresses taken from them. */
import type {
  IPAddress,
  ParentReference,
  ServiceCIDR,
} from "@homeostat/object-model/networking-v1";
import {
  type ChangeRule,
  dns1123Subdomain,
  each,
  fields,
  ifSet,
  type Rule,
} from "@homeostat/schema";
import { FIELD_IS_IMMUTABLE } from "../resources/field-checks.ts";
import { immutablePart, immutableValue } from "./checks/immutable-parts.ts";
import { readNetwork, strictCidr } from "./checks/networks.ts";
import { pathSegment } from "./checks/path-segments.ts";
import { requiredThen } from "./checks/required-then.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

export const serviceCidrRules: readonly NamedTypeRules[] = [
  rulesFor<ServiceCIDR>("networking.v1.ServiceCIDR", {
    validate: (range, place) => cidrs(range?.spec?.cidrs, place.child("spec").child("cidrs")),
    /** A second family may be added; nothing else changes. */
    validateChange({ value, old }, place) {
      const at = place.child("spec").child("cidrs");
      const next = value?.spec?.cidrs ?? [];
      const before = old?.spec?.cidrs ?? [];
      const grows = before.length === 1 && next.length === 2;
      if (next.length !== before.length && !grows) {
        return at.invalid(value?.spec?.cidrs ?? null, FIELD_IS_IMMUTABLE);
      }
      for (const [index, cidr] of before.entries()) {
        immutableValue({ value: next[index], old: cidr }, at.index(index));
      }
      if (grows) cidrs(next, at);
    },
  }),
  rulesFor<IPAddress>("networking.v1.IPAddress", {
    validate: (address, place) => parentOf(address, place),
    validateChange({ value, old }, place) {
      const change = { value: value?.spec?.parentRef, old: old?.spec?.parentRef };
      const at = place.child("spec").child("parentRef");
      immutablePart("networking.ParentReference")(change, at);
    },
  }),
];

const MAX_CIDRS = 2;

const cidrs: Rule<readonly string[]> = (list = [], place) => {
  if (list.length === 0) return place.required("at least one CIDR required");
  if (list.length > MAX_CIDRS) {
    return place.invalid({ CIDRs: list }, "may only hold up to 2 values");
  }
  each(strictCidr)(list, place);
  const [first, second] = list.map((cidr) => readNetwork(cidr)?.family);
  if (list.length === MAX_CIDRS && first !== undefined && first === second) {
    place.invalid(
      list,
      "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64",
    );
  }
};

/** The group of Services has no name. */
const parent = fields<ParentReference>({
  group: ifSet(dns1123Subdomain),
  resource: requiredThen(pathSegment),
  name: requiredThen(pathSegment),
  namespace: ifSet(pathSegment),
});

const parentOf: Rule<IPAddress> = (address, place) => {
  const at = place.child("spec").child("parentRef");
  if (address?.spec?.parentRef == null) at.required();
  else parent(address.spec.parentRef, at);
};

export const ipAddressAgain: ChangeRule<IPAddress, RuleContext> = ({ value }, place) =>
  parentOf(value, place);
