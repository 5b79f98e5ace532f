/** Leases. */
import type { Lease, LeaseSpec } from "@homeostat/object-model/coordination-v1";
import {
  fields,
  ifPresent,
  nonNegative,
  positive,
  qualifiedName,
  type Rule,
} from "@homeostat/schema";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

const STRATEGIES = ["OldestEmulationVersion"];

/** Ours by name, or somebody's by a qualified one. Kubernetes says the name of the field twice. */
const strategy: Rule<string> = (value = "", place) => {
  const at = place.child("strategy");
  if (value.includes("/")) qualifiedName(value, at);
  else if (!STRATEGIES.includes(value)) at.notSupported(value, STRATEGIES);
};

const spec = fields<LeaseSpec>({
  leaseDurationSeconds: ifPresent(positive),
  leaseTransitions: ifPresent(nonNegative),
  strategy: ifPresent(strategy),
});

const lease: Rule<Lease, RuleContext> = (value, place) => {
  const at = place.child("spec");
  spec(value?.spec, at);
  if (value?.spec?.preferredHolder && !value.spec.strategy) {
    at.child("preferredHolder").forbidden("may only be specified if `strategy` is defined");
  }
};

export const leaseRules: readonly NamedTypeRules[] = [
  rulesFor<Lease>("coordination.v1.Lease", {
    validate: lease,
    validateChange: ({ value }, place) => lease(value, place),
  }),
];
