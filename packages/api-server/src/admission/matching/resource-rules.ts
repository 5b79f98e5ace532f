import type { GroupVersionResource } from "@homeostat/object-model";
import type {
  NamedRuleWithOperations,
  RuleWithOperations,
} from "@homeostat/object-model/admissionregistration-v1";
import type { AdmissionAttributes, MatchedResource } from "./admission-attributes.ts";
import type { EquivalentResources } from "./equivalent-resources.ts";

type Rule = RuleWithOperations & Pick<NamedRuleWithOperations, "resourceNames">;

/**
 * What the rules match: the resource that was asked for if any rule does, else, where that is wanted,
 * the first other version of it that a rule matches.
 */
export function matchedBy(
  rules: readonly Rule[],
  attributes: AdmissionAttributes,
  equivalents: EquivalentResources | undefined,
): MatchedResource | undefined {
  const { resource, kind, request } = attributes;
  if (rules.some((rule) => matchesRule(rule, attributes, resource))) {
    return { served: request.served, resource, kind };
  }
  if (equivalents === undefined) return undefined;
  const others = equivalents.of(request.served, request.subresource);
  for (const rule of rules) {
    const found = others.find((other) => matchesRule(rule, attributes, other.resource));
    if (found !== undefined) return found;
  }
  return undefined;
}

function matchesRule(
  rule: Rule,
  attributes: AdmissionAttributes,
  resource: GroupVersionResource,
): boolean {
  const { operations = [], apiGroups = [], apiVersions = [], resourceNames = [] } = rule;
  return (
    matchesScope(rule.scope, attributes, resource) &&
    isListed(operations, attributes.change.operation) &&
    isListed(apiGroups, resource.group) &&
    isListed(apiVersions, resource.version) &&
    matchesResource(rule.resources ?? [], resource.resource, attributes.request.subresource) &&
    (resourceNames.length === 0 || resourceNames.includes(attributes.name))
  );
}

function isListed(items: readonly string[], asked: string): boolean {
  return items.some((item) => item === "*" || item === asked);
}

function matchesScope(
  scope: string | undefined,
  { namespace }: AdmissionAttributes,
  { group, version, resource }: GroupVersionResource,
): boolean {
  if (scope === undefined || scope === "*") return true;
  const isNamespace = group === "" && version === "v1" && resource === "namespaces";
  const isNamespaced = !isNamespace && namespace !== "";
  if (scope === "Namespaced") return isNamespaced;
  return scope === "Cluster" && !isNamespaced;
}

/** `pods`, `pods/status`, `*`, `pods/*`, `*\/scale`. */
function matchesResource(
  patterns: readonly string[],
  resource: string,
  subresource: string,
): boolean {
  return patterns.some((pattern) => {
    const slash = pattern.indexOf("/");
    const wanted = slash === -1 ? pattern : pattern.slice(0, slash);
    const wantedSub = slash === -1 ? "" : pattern.slice(slash + 1);
    return (
      (wanted === "*" || wanted === resource) && (wantedSub === "*" || wantedSub === subresource)
    );
  });
}
