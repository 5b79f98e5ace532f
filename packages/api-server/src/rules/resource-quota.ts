/** Resource quotas: what all of a namespace may use together, and of which pods that is counted. */
import type {
  ResourceQuota,
  ResourceQuotaSpec,
  ResourceQuotaStatus,
  ScopedResourceSelectorRequirement,
} from "@homeostat/object-model/core-v1";
import { all, type ChangeRule, fields, type Place, type Rule } from "@homeostat/schema";
import { FIELD_IS_IMMUTABLE } from "../resources/field-checks.ts";
import { internalForm } from "../resources/internal-form.ts";
import { amountOfResource } from "./checks/quantities.ts";
import { isStandardQuotaResource, quotaResourceName } from "./checks/resource-names.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

export const resourceQuotaRules: readonly NamedTypeRules[] = [
  rulesFor<ResourceQuota>("core.v1.ResourceQuota", {
    validate(quota, place) {
      quotaSpec(quota?.spec, place.child("spec"));
      status(quota?.status, place.child("status"));
    },
    validateChange({ value, old }, place) {
      const at = place.child("spec");
      quotaSpec(value?.spec, at);
      const scopes = new Set(value?.spec?.scopes);
      const before = new Set(old?.spec?.scopes);
      if (scopes.size === before.size && [...scopes].every((scope) => before.has(scope))) return;
      at.child("scopes").invalid(value?.spec?.scopes ?? null, FIELD_IS_IMMUTABLE);
    },
  }),
  rulesFor<ResourceQuotaSpec>("core.v1.ResourceQuotaSpec", { resourceLists: ["hard"] }),
  rulesFor<ResourceQuotaStatus>("core.v1.ResourceQuotaStatus", {
    resourceLists: ["hard", "used"],
  }),
];

const amounts: Rule<Readonly<Record<string, string | number>>> = (list, place) => {
  for (const [name, value] of Object.entries(list ?? {})) {
    const at = place.key(name);
    quotaResourceName(name, at);
    amountOfResource(name)(value, at);
  }
};

const PODS: ReadonlySet<string> = new Set(["pods"]);
const PODS_AND_COMPUTE: ReadonlySet<string> = new Set([
  "pods",
  "cpu",
  "memory",
  "limits.cpu",
  "limits.memory",
  "requests.cpu",
  "requests.memory",
]);
const CLAIMS: ReadonlySet<string> = new Set(["persistentvolumeclaims", "requests.storage"]);

/** The scopes, and what can be counted in each. */
const SCOPES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["Terminating", PODS_AND_COMPUTE],
  ["NotTerminating", PODS_AND_COMPUTE],
  ["BestEffort", PODS],
  ["NotBestEffort", PODS_AND_COMPUTE],
  ["PriorityClass", PODS_AND_COMPUTE],
  ["CrossNamespacePodAffinity", PODS_AND_COMPUTE],
  ["VolumeAttributesClass", CLAIMS],
]);

/** Scopes that a pod is in or is not: nothing more can be asked of them. */
const PLAIN_SCOPES: ReadonlySet<string> = new Set([
  "BestEffort",
  "NotBestEffort",
  "Terminating",
  "NotTerminating",
  "CrossNamespacePodAffinity",
]);

const OPPOSITES = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

/** Resources that the scope does not know how to count. */
function uncountable(scope: string, spec: Readonly<ResourceQuotaSpec>): readonly string[] {
  const counted = SCOPES.get(scope);
  if (counted === undefined) return [];
  const names = Object.keys(spec.hard ?? {});
  return names.filter((name) => isStandardQuotaResource(name) && !counted.has(name));
}

const scopes: Rule<ResourceQuotaSpec> = (spec, place) => {
  const list = spec?.scopes ?? [];
  const at = place.child("scopes");
  for (const scope of list) {
    if (!SCOPES.has(scope)) at.invalid(list, "unsupported scope");
    for (const _ of uncountable(scope, spec ?? {})) {
      at.invalid(list, "unsupported scope applied to resource");
    }
  }
  for (const pair of OPPOSITES) {
    if (pair.every((scope) => list.includes(scope))) at.invalid(list, "conflicting scopes");
  }
};

/** Errors name the list of expressions, not the one that is wrong. */
const scopeSelector: Rule<ResourceQuotaSpec> = (spec, place) => {
  if (spec?.scopeSelector === undefined) return;
  const at = place.child("scopeSelector").child("matchExpressions");
  const expressions = spec.scopeSelector.matchExpressions ?? [];
  for (const expression of expressions) {
    const scope = expression.scopeName ?? "";
    if (!SCOPES.has(scope)) at.child("scopeName").invalid(scope, "unsupported scope");
    for (const _ of uncountable(scope, spec)) {
      const shown = internalForm("ScopeSelector", spec.scopeSelector);
      at.invalid(shown, "unsupported scope applied to resource");
    }
    checkExpression(expression, at);
  }
  const named = new Set(expressions.map(({ scopeName }) => scopeName));
  for (const pair of OPPOSITES) {
    if (pair.every((scope) => named.has(scope))) {
      at.invalid(spec.scopes ?? null, "conflicting scopes");
    }
  }
};

function checkExpression(
  expression: Partial<ScopedResourceSelectorRequirement>,
  place: Place,
): void {
  const { scopeName = "", operator = "", values = [] } = expression;
  if (PLAIN_SCOPES.has(scopeName) && operator !== "Exists") {
    const why =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    place.child("operator").invalid(operator, why);
  }
  switch (operator) {
    case "In":
    case "NotIn": {
      if (values.length > 0) return;
      const why =
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return place.child("values").required(why);
    }
    case "Exists":
    case "DoesNotExist": {
      if (values.length === 0) return;
      const why =
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return place.child("values").invalid(values, why);
    }
    default:
      return place.child("operator").invalid(operator, "not a valid selector operator");
  }
}

const quotaSpec = all<ResourceQuotaSpec, RuleContext>(
  fields<ResourceQuotaSpec, RuleContext>({ hard: amounts }),
  scopes,
  scopeSelector,
);

const status = fields<ResourceQuotaStatus>({ hard: amounts, used: amounts });

export const resourceQuotaStatusChange: ChangeRule<ResourceQuota, RuleContext> = (
  { value },
  place,
) => status(value?.status, place.child("status"));
