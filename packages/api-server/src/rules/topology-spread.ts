/** How evenly the pods of a workload are spread over zones, nodes or other domains. */
import { FieldPath } from "@homeostat/object-model";
import type { TopologySpreadConstraint } from "@homeostat/object-model/core-v1";
import { fields, Place, type Rule, requiredBecause } from "@homeostat/schema";
import { knownChoice, optionalChoice } from "./checks/choices.ts";
import { labelSelector } from "./checks/label-selectors.ts";
import { apartFromSelector, checkMatchLabelKeys } from "./match-label-keys.ts";

type Constraints = readonly TopologySpreadConstraint[];

const positiveCount: Rule<number> = (value = 0, place) => {
  if (value <= 0) place.invalid(value, "must be greater than zero");
};

const nodePolicy = optionalChoice("Honor", "Ignore");
const kindOfConstraint = fields<TopologySpreadConstraint>({
  maxSkew: positiveCount,
  topologyKey: requiredBecause("can not be empty"),
  whenUnsatisfiable: knownChoice("DoNotSchedule", "ScheduleAnyway"),
});
const nodePolicies = fields<TopologySpreadConstraint>({
  nodeAffinityPolicy: nodePolicy,
  nodeTaintsPolicy: nodePolicy,
});

/** `old` is what an update replaces: selectors and keys that were wrong there stay allowed. */
export function topologySpreadRule(old?: Constraints): Rule<Constraints> {
  const anySelector = isAnyWrong(old, ({ labelSelector: selector }, place) =>
    labelSelector(selector, place),
  );
  const apart = isAnyWrong(old, checkMatchLabelKeys);
  return (constraints = [], place) => {
    const lastOfKind = new Map(constraints.map((each, index) => [kindOf(each), index]));
    let index = -1;
    place.visitItems(constraints, (constraint, at) => {
      index += 1;
      kindOfConstraint(constraint, at);
      const kind = kindOf(constraint);
      if (lastOfKind.get(kind) !== index) {
        at.child("{topologyKey, whenUnsatisfiable}").duplicate(kind);
      }
      checkMinDomains(constraint, at.child("minDomains"));
      nodePolicies(constraint, at);
      if (apart) apartFromSelector(constraint, at.child("matchLabelKeys"));
      else checkMatchLabelKeys(onlyMatching(constraint), at);
      if (!anySelector) labelSelector(constraint.labelSelector, at.child("labelSelector"));
    });
  };
}

/** There are no keys to mismatch here. */
function onlyMatching({ labelSelector: selector, matchLabelKeys: keys }: TopologySpreadConstraint) {
  return {
    ...(selector === undefined ? {} : { labelSelector: selector }),
    ...(keys === undefined ? {} : { matchLabelKeys: keys }),
  };
}

function isAnyWrong(
  constraints: Constraints | undefined,
  check: (constraint: TopologySpreadConstraint, place: Place) => void,
): boolean {
  const place = Place.root(undefined, FieldPath.of(""));
  for (const constraint of constraints ?? []) check(constraint, place);
  return place.errors.length > 0;
}

/** There is one constraint for a domain and what to do where it cannot be met. */
function kindOf(constraint: TopologySpreadConstraint | undefined): string {
  return `{${constraint?.topologyKey ?? ""}, ${constraint?.whenUnsatisfiable ?? ""}}`;
}

function checkMinDomains(
  { minDomains, whenUnsatisfiable = "" }: Partial<TopologySpreadConstraint>,
  place: Place,
): void {
  if (minDomains === undefined) return;
  positiveCount(minDomains, place);
  if (whenUnsatisfiable !== "DoNotSchedule") {
    const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    place.invalid(minDomains, why);
  }
}
