/** What an access review could not take into account of its selectors, as its status tells it. */
import { FieldSelector, LabelSelector, SelectorError } from "@homeostat/object-model";
import type { ResourceAttributes } from "@homeostat/object-model/authorization-v1";

/** How many requirements were understood, of how many. */
interface Understood {
  readonly all: boolean;
  readonly some: boolean;
}

interface Requirement {
  readonly operator?: string;
  readonly values?: readonly string[];
}

interface ReviewSelector {
  readonly rawSelector?: string;
  readonly requirements?: readonly Requirement[];
}

/** "" where both selectors are understood or absent. */
export function evaluationError(attributes: Readonly<ResourceAttributes> | undefined): string {
  const { fieldSelector = {}, labelSelector = {} } = attributes ?? {};
  return [
    tell(
      "fieldSelector",
      understand(fieldSelector, (text) => FieldSelector.parse(text), isFieldRequirement),
    ),
    tell(
      "labelSelector",
      understand(labelSelector, (text) => LabelSelector.parse(text), isLabelRequirement),
    ),
  ]
    .filter((text) => text !== "")
    .join("; ");
}

function tell(field: string, { all, some }: Understood): string {
  if (all) return "";
  return `spec.resourceAttributes.${field} ${some ? "partially " : ""}ignored due to parse error`;
}

function understand(
  { rawSelector = "", requirements = [] }: ReviewSelector,
  parse: (text: string) => unknown,
  isKnown: (requirement: Requirement) => boolean,
): Understood {
  if (requirements.length > 0) {
    return { all: requirements.every(isKnown), some: requirements.some(isKnown) };
  }
  return { all: rawSelector === "" || isReadable(rawSelector, parse), some: false };
}

function isReadable(text: string, parse: (text: string) => unknown): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

const LABEL_OPERATORS = new Set(["In", "NotIn", "Exists", "DoesNotExist"]);

function isLabelRequirement({ operator = "" }: Requirement): boolean {
  return LABEL_OPERATORS.has(operator);
}

/** Fields are compared with one value, and cannot be asked whether they exist. */
function isFieldRequirement({ operator, values }: Requirement): boolean {
  return (operator === "In" || operator === "NotIn") && values?.length === 1;
}
