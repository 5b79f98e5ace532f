/**
 * Which requests webhooks and policies are asked about. The parts of this folder are what webhook
 * configurations, policies and bindings have in common; `../admission-configuration.ts` lists the kinds.
 */
import type {
  NamedRuleWithOperations,
  RuleWithOperations,
} from "@homeostat/object-model/admissionregistration-v1";
import { each, ifPresent, oneOf, type Place, type Rule } from "@homeostat/schema";
import { pathSegment } from "../checks/path-segments.ts";

const ANY = "*";
const OPERATIONS = [ANY, "CONNECT", "CREATE", "DELETE", "UPDATE"];

/** A list that names everything names nothing else. */
function listOf(what: string): Rule<readonly string[]> {
  return (list = [], place) => {
    if (list.length === 0) place.required();
    if (list.length > 1 && list.includes(ANY)) {
      place.invalid(list, `if '*' is present, must not specify other ${what}`);
    }
  };
}

const operations = listOf("operations");
const apiGroups = listOf("API groups");
const apiVersions = listOf("API versions");
const eachOperation = each(oneOf(...OPERATIONS));
const scope = ifPresent(oneOf(ANY, "Cluster", "Namespaced"));

const resources: Rule<readonly string[]> = (list = [], place) => {
  if (list.length === 0) place.required();
  // What `x/*` and `*/x` that came before cover.
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  let isLastPlain = false;
  for (const [index, resource] of list.entries()) {
    const at = place.index(index);
    if (resource === "") {
      at.required();
      continue;
    }
    const slash = resource.indexOf("/");
    if (slash === -1) {
      isLastPlain = resource !== ANY;
      continue;
    }
    const [name, subresource] = [resource.slice(0, slash), resource.slice(slash + 1)];
    if (wholeResources.has(name)) {
      at.invalid(resource, `if '${name}/*' is present, must not specify ${resource}`);
    }
    if (wholeSubresources.has(subresource)) {
      at.invalid(resource, `if '*/${subresource}' is present, must not specify ${resource}`);
    }
    if (subresource === ANY) wholeResources.add(name);
    if (name === ANY) wholeSubresources.add(subresource);
  }
  if (list.length > 1 && list.includes("*/*")) {
    place.invalid(list, "if '*/*' is present, must not specify other resources");
  }
  if (list.includes(ANY) && isLastPlain) {
    const why = "if '*' is present, must not specify other resources without subresources";
    place.invalid(list, why);
  }
};

export const ruleWithOperations: Rule<RuleWithOperations> = (rule, place) => {
  const at = place.child("operations");
  operations(rule?.operations, at);
  eachOperation(rule?.operations, at);
  apiGroups(rule?.apiGroups, place.child("apiGroups"));
  const versions = rule?.apiVersions;
  apiVersions(versions, place.child("apiVersions"));
  each<string>((version, placed) => {
    if (!version) placed.required();
  })(versions, place.child("apiVersions"));
  resources(rule?.resources, place.child("resources"));
  scope(rule?.scope, place.child("scope"));
};

export const namedRuleWithOperations: Rule<NamedRuleWithOperations> = (rule, place) => {
  checkNames(rule?.resourceNames ?? [], place.child("resourceNames"));
  ruleWithOperations(rule, place);
};

function checkNames(names: readonly string[], place: Place): void {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    const at = place.index(index);
    pathSegment(name, at);
    if (seen.has(name)) at.duplicate(name);
    seen.add(name);
  }
}
