/** What is wrong with the selectors of an access review; operators that are unknown are let pass. */
import {
  checkLabelKey,
  checkLabelValue,
  FieldError,
  type FieldPath,
} from "@homeostat/object-model";
import type { ResourceAttributes } from "@homeostat/object-model/authorization-v1";
import type { LabelSelectorRequirement } from "@homeostat/object-model/meta-v1";

export function checkReviewSelectors(
  { fieldSelector, labelSelector }: Readonly<ResourceAttributes>,
  path: FieldPath,
): FieldError[] {
  const fields = path.child("fieldSelector");
  const labels = path.child("labelSelector");
  return [
    ...checkEitherForm(fieldSelector, fields),
    ...each(fieldSelector?.requirements, fields, checkFieldRequirement),
    ...checkEitherForm(labelSelector, labels),
    ...each(labelSelector?.requirements, labels, checkLabelRequirement),
  ];
}

function checkEitherForm(
  selector: { rawSelector?: string; requirements?: readonly unknown[] } | undefined,
  path: FieldPath,
): FieldError[] {
  if (!selector) return [];
  const { rawSelector = "", requirements = [] } = selector;
  if (rawSelector !== "" && requirements.length > 0) {
    const detail = "may not specified at the same time as requirements";
    return [FieldError.invalid(path.child("rawSelector"), rawSelector, detail)];
  }
  if (rawSelector !== "" || requirements.length > 0) return [];
  const detail = `when ${path.toString()} is specified, requirements or rawSelector is required`;
  return [FieldError.required(path.child("requirements"), detail)];
}

/** Requirements of fields and of labels look the same. */
type Requirement = Partial<LabelSelectorRequirement>;

function each(
  requirements: readonly Requirement[] | undefined,
  path: FieldPath,
  check: (requirement: Requirement, path: FieldPath) => FieldError[],
): FieldError[] {
  return [...(requirements ?? []).entries()].flatMap(([i, requirement]) =>
    check(requirement, path.child("requirements").index(i)),
  );
}

function checkFieldRequirement(requirement: Requirement, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!requirement.key) errors.push(FieldError.required(path.child("key"), "must be specified"));
  return [...errors, ...checkValueCount(requirement, path)];
}

function checkLabelRequirement(requirement: Requirement, path: FieldPath): FieldError[] {
  const { key = "", values = [] } = requirement;
  return [
    ...checkValueCount(requirement, path),
    ...checkLabelKey(key).map((text) => FieldError.invalid(path.child("key"), key, text)),
    ...[...values.entries()].flatMap(([i, value]) =>
      checkLabelValue(value).map((text) =>
        FieldError.invalid(path.child("values").index(i), value, text),
      ),
    ),
  ];
}

function checkValueCount({ operator, values = [] }: Requirement, path: FieldPath): FieldError[] {
  const at = path.child("values");
  if ((operator === "In" || operator === "NotIn") && values.length === 0) {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    return [FieldError.required(at, detail)];
  }
  if ((operator === "Exists" || operator === "DoesNotExist") && values.length > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return [FieldError.forbidden(at, detail)];
  }
  return [];
}
