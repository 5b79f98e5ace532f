/**
 * Whether rules grant no more than other rules do. What is wanted is broken down to single
 * permissions: each is covered by one rule that is held, or missing.
 */
import { compareBytewise, goQuote } from "@homeostat/object-model";
import { coversUrl, type HeldRule, hasOrAll } from "./policy-rule.ts";

/** One verb on one resource, of one name if any is named; or on one URL. */
export type Permission =
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly name: string | undefined;
    }
  | { readonly verb: string; readonly url: string };

/** Every combination that a rule names; how many there are is their product. */
export function* permissionsOf(rule: HeldRule): Iterable<Permission> {
  const names = rule.resourceNames.length === 0 ? [undefined] : rule.resourceNames;
  for (const group of rule.apiGroups) {
    for (const resource of rule.resources) {
      for (const verb of rule.verbs) {
        for (const name of names) yield { verb, group, resource, name };
      }
    }
  }
  for (const url of rule.nonResourceURLs) for (const verb of rule.verbs) yield { verb, url };
}

export function countPermissions(rules: readonly HeldRule[]): number {
  let count = 0;
  for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of rules) {
    const named = Math.max(resourceNames.length, 1);
    count += verbs.length * (apiGroups.length * resources.length * named + nonResourceURLs.length);
  }
  return count;
}

export function isHeld(held: readonly HeldRule[], wanted: Permission): boolean {
  return held.some((rule) => covers(rule, wanted));
}

function covers(rule: HeldRule, wanted: Permission): boolean {
  if (!hasOrAll(rule.verbs, wanted.verb)) return false;
  const { resourceNames } = rule;
  if ("url" in wanted) {
    if (resourceNames.length > 0) return false;
    return rule.nonResourceURLs.some((url) => coversUrl(url, wanted.url));
  }
  const { group, resource, name } = wanted;
  if (!hasOrAll(rule.apiGroups, group) || !coversResource(rule.resources, resource)) return false;
  return resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name));
}

function coversResource(held: readonly string[], resource: string): boolean {
  if (hasOrAll(held, resource)) return true;
  const slash = resource.indexOf("/");
  return slash >= 0 && held.includes(`*${resource.slice(slash)}`);
}

/** A line for each resource with the verbs that are missing on it, and for each URL. */
export function printMissing(missing: readonly Permission[]): string {
  const verbsOf = new Map<string, { readonly wanted: Permission; readonly verbs: string[] }>();
  const lines = new Set<string>();
  for (const wanted of missing) {
    if ("url" in wanted) {
      lines.add(`{NonResourceURLs:${list([wanted.url])}, Verbs:${list([wanted.verb])}}`);
      continue;
    }
    const key = JSON.stringify([wanted.group, wanted.resource, wanted.name ?? null]);
    const known = verbsOf.get(key);
    if (known === undefined) verbsOf.set(key, { wanted, verbs: [wanted.verb] });
    else known.verbs.push(wanted.verb);
  }
  for (const { wanted, verbs } of verbsOf.values()) lines.add(printResource(wanted, verbs));
  return [...lines].sort(compareBytewise).join("\n");
}

function printResource(wanted: Permission, verbs: readonly string[]): string {
  if ("url" in wanted) return "";
  const { group, resource, name } = wanted;
  const named = name === undefined ? "" : `, ResourceNames:${list([name])}`;
  return `{APIGroups:${list([group])}, Resources:${list([resource])}${named}, Verbs:${list(verbs)}}`;
}

/** As Go prints a list of quoted texts. */
export function list(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(" ")}]`;
}
