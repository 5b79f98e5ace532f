/** What one rule of a role grants. */
import type { PolicyRule } from "@homeostat/object-model/rbac-v1";
import type { AccessAttributes } from "./authorizer.ts";

const ALL = "*";

/** A rule as it is looked at: lists that are absent are empty. */
export type HeldRule = Readonly<Record<keyof PolicyRule, readonly string[]>>;

const NONE: readonly string[] = [];

/** What is stored may hold null where a list belongs. */
export function heldRule(rule: Readonly<PolicyRule>): HeldRule {
  return {
    verbs: rule.verbs ?? NONE,
    apiGroups: rule.apiGroups ?? NONE,
    resources: rule.resources ?? NONE,
    resourceNames: rule.resourceNames ?? NONE,
    nonResourceURLs: rule.nonResourceURLs ?? NONE,
  };
}

export function ruleAllows(rule: HeldRule, asked: AccessAttributes): boolean {
  if (!hasOrAll(rule.verbs, asked.verb)) return false;
  if (asked.kind === "path") return rule.nonResourceURLs.some((url) => coversUrl(url, asked.path));
  const { resourceNames } = rule;
  return (
    hasOrAll(rule.apiGroups, asked.group) &&
    allowsResource(rule.resources, asked.resource, asked.subresource) &&
    (resourceNames.length === 0 || resourceNames.includes(asked.name))
  );
}

/** A star at the end stands for every continuation. */
export function coversUrl(url: string, path: string): boolean {
  if (url === path) return true;
  return url.endsWith(ALL) && path.startsWith(url.replace(/\*+$/, ""));
}

export function hasOrAll(values: readonly string[], value: string): boolean {
  return values.includes(value) || values.includes(ALL);
}

/** `pods`, `pods/status`, the subresource of any resource, or everything. Nothing grants `pods` and all below it. */
function allowsResource(
  granted: readonly string[],
  resource: string,
  subresource: string,
): boolean {
  if (subresource === "") return hasOrAll(granted, resource);
  return hasOrAll(granted, `${resource}/${subresource}`) || granted.includes(`*/${subresource}`);
}
