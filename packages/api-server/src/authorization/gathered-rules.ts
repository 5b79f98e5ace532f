import { compareBytewise, LabelSelector, SelectorError } from "@homeostat/object-model";
import type { ClusterRole, PolicyRule } from "@homeostat/object-model/rbac-v1";
import { heldRule } from "./policy-rule.ts";

/** Which roles an aggregated role gathers; undefined for one that gathers none, or says it badly. */
export function gatheringOf(
  role: Readonly<ClusterRole>,
): readonly ((other: Readonly<ClusterRole>) => boolean)[] | undefined {
  const selectors = role.aggregationRule?.clusterRoleSelectors ?? [];
  if (selectors.length === 0) return undefined;
  try {
    return selectors.map((each) => {
      const selector = LabelSelector.fromObject(each);
      return (other) => selector.matches(other.metadata?.labels ?? {});
    });
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** The rules of all roles that one gathers, selector by selector and by name, each rule once. */
export function gatheredRules(
  role: Readonly<ClusterRole>,
  others: Iterable<Readonly<ClusterRole>>,
): PolicyRule[] | undefined {
  const gathering = gatheringOf(role);
  if (gathering === undefined) return undefined;
  const nameOf = ({ metadata }: Readonly<ClusterRole>): string => metadata?.name ?? "";
  const candidates = [...others].filter((other) => nameOf(other) !== nameOf(role));
  const rules = new Map<string, PolicyRule>();
  for (const isGathered of gathering) {
    const found = candidates.filter(isGathered);
    for (const other of found.sort((a, b) => compareBytewise(nameOf(a), nameOf(b)))) {
      for (const rule of other.rules ?? []) {
        const key = keyOfRule(rule);
        if (!rules.has(key)) rules.set(key, rule);
      }
    }
  }
  return [...rules.values()];
}

/** Equal for rules that say the same, whether a list is empty or absent. */
export function keyOfRule(rule: Readonly<PolicyRule>): string {
  return JSON.stringify(heldRule(rule));
}
