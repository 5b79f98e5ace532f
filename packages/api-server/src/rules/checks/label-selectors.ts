/** Selectors of labels in the object form that workloads carry. */
import {
  checkLabelKey,
  checkLabelValue,
  LabelSelector,
  SelectorError,
} from "@homeostat/object-model";
import type {
  LabelSelector as LabelSelectorObject,
  LabelSelectorRequirement,
} from "@homeostat/object-model/meta-v1";
import { eachLater, fields, type Rule, textIs } from "@homeostat/schema";
import { printedPart } from "../../resources/field-checks.ts";
import { labels } from "./labels.ts";

export const labelKey: Rule<string> = textIs(checkLabelKey);

export const labelSelector: Rule<LabelSelectorObject> = selectorRule(
  eachLater(textIs(checkLabelValue)),
);

/** For an update of something that had values that are no labels before. */
export const labelSelectorOfAnyValues: Rule<LabelSelectorObject> = selectorRule(() => {});

function selectorRule(values: Rule<readonly string[]>): Rule<LabelSelectorObject> {
  const requirement = fields<LabelSelectorRequirement>({ key: labelKey, values });
  return fields<LabelSelectorObject>({
    matchLabels: labels,
    matchExpressions: eachLater((value, place) => operatorAndValues(value, place), requirement),
  });
}

const operatorAndValues: Rule<LabelSelectorRequirement> = (requirement, place) => {
  const { operator = "", values = [] } = requirement ?? {};
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length > 0) return;
      place.child("values").required("must be specified when `operator` is 'In' or 'NotIn'");
      return;
    case "Exists":
    case "DoesNotExist":
      if (values.length === 0) return;
      place
        .child("values")
        .forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      return;
    default:
      place.child("operator").invalid(operator, "not a valid selector operator");
  }
};

/** Whether an expression of it holds a value that no label can have. */
export function hasInvalidLabelValue(selector: LabelSelectorObject | undefined): boolean {
  return (selector?.matchExpressions ?? []).some(({ values }) =>
    (values ?? []).some((value) => checkLabelValue(value).length > 0),
  );
}

/** Without requirements, which selects everything. */
export function isEmptySelector(selector: LabelSelectorObject): boolean {
  const { matchLabels, matchExpressions } = selector;
  return Object.keys(matchLabels ?? {}).length + (matchExpressions ?? []).length === 0;
}

/** Undefined for one that cannot be read. An absent one selects nothing. */
export function readSelector(selector: LabelSelectorObject | undefined): LabelSelector | undefined {
  try {
    return LabelSelector.fromObject(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** As messages show it. */
export function printedSelector(selector: LabelSelectorObject | undefined): unknown {
  return printedPart("LabelSelector", selector);
}
