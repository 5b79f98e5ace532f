/** Which nodes are meant: by their labels, or by their name. */
import { checkDns1123Subdomain, checkLabelValue } from "@homeostat/object-model";
import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
} from "@homeostat/object-model/core-v1";
import { eachLater, fields, type Place, type Rule, textIs } from "@homeostat/schema";
import { labelKey } from "./checks/label-selectors.ts";

interface NodeSelectorFacts {
  /** Values need not be values of labels: they were not before, or it is only a preference. */
  readonly anyLabelValues?: boolean;
}

export function nodeSelector(facts: NodeSelectorFacts = {}): Rule<NodeSelector> {
  const terms = eachLater(nodeSelectorTerm(facts));
  return (selector, place) => {
    const at = place.child("nodeSelectorTerms");
    const given = selector?.nodeSelectorTerms ?? [];
    if (given.length === 0) at.required("must have at least one node selector term");
    terms(given, at);
  };
}

export function nodeSelectorTerm({ anyLabelValues }: NodeSelectorFacts): Rule<NodeSelectorTerm> {
  const values = anyLabelValues ? [] : [eachLater(textIs(checkLabelValue))];
  const requirement = fields<NodeSelectorRequirement>({ key: labelKey, values });
  return fields<NodeSelectorTerm>({
    matchExpressions: eachLater(operatorAndValues, requirement),
    matchFields: eachLater(nodeField),
  });
}

const operatorAndValues: Rule<NodeSelectorRequirement> = (requirement, place) => {
  const { operator = "", values = [] } = requirement ?? {};
  const at = place.child("values");
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length > 0) return;
      return at.required("must be specified when `operator` is 'In' or 'NotIn'");
    case "Exists":
    case "DoesNotExist":
      if (values.length === 0) return;
      return at.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    case "Gt":
    case "Lt":
      if (values.length === 1) return;
      return at.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
    default:
      return refuseOperator(operator, place);
  }
};

/** Of all fields only the name can be asked for, one at a time. */
const nodeField: Rule<NodeSelectorRequirement> = (requirement, place) => {
  const { key = "", operator = "", values = [] } = requirement ?? {};
  const at = place.child("values");
  if (operator !== "In" && operator !== "NotIn") refuseOperator(operator, place);
  else if (values.length !== 1) {
    at.required(
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    );
  }
  if (key === "metadata.name") eachLater(textIs(checkDns1123Subdomain))(values, at);
  else place.child("key").invalid(key, "not a valid field selector key");
};

function refuseOperator(operator: string, place: Place): void {
  place.child("operator").invalid(operator, "not a valid selector operator");
}

/** Whether a term already asks for a value that no label can have. */
export function hasInvalidNodeLabelValue(selector: NodeSelector | undefined): boolean {
  return (selector?.nodeSelectorTerms ?? []).some((term) =>
    (term?.matchExpressions ?? []).some((requirement) =>
      (requirement?.values ?? []).some((value) => checkLabelValue(value).length > 0),
    ),
  );
}
