/**
 * Which objects are meant. Label selectors: `app=web,tier in (a,b),!canary`, or the object form that
 * Deployments carry; field selectors: `metadata.name=x`. Both parse, print and match exactly as
 * Kubernetes does, and show their requirements, so that a cache can answer from an index.
 *
 * Selectors do not change. Labels are user-keyed and matched by own keys only.
 */

import { FieldError, printFieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import type { LabelSelector as LabelSelectorObject } from "../generated/meta-v1.ts";
import { goQuote } from "../json/go-quote.ts";
import { ownKey } from "../json/own-key.ts";
import { checkLabelKey, checkLabelValue } from "../name-validation.ts";
import {
  checkRequirement,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  matchesRequirement,
  printRequirement,
} from "./label-requirement.ts";
import { parseLabelRequirements } from "./parse-label-selector.ts";
import { SelectorError } from "./selector-error.ts";

const OBJECT_OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
};

export class LabelSelector {
  /** Matches every object; what an empty text or an empty object selector means. */
  static readonly everything: LabelSelector = new LabelSelector([], true);
  /** Matches none; what an absent object selector means. Prints as "", like its opposite. */
  static readonly nothing: LabelSelector = new LabelSelector([], false);

  /** All of which must hold, in the order of their keys. */
  readonly requirements: readonly LabelRequirement[];
  readonly #selectsAnything: boolean;

  private constructor(requirements: readonly LabelRequirement[], selectsAnything: boolean) {
    this.requirements = Object.freeze(requirements.toSorted(byKey));
    this.#selectsAnything = selectsAnything;
  }

  /** Reads the text form. Throws {@link SelectorError} with Kubernetes' message. */
  static parse(text: string): LabelSelector {
    return LabelSelector.#of(parseLabelRequirements(text));
  }

  /** From requirements, which are checked. */
  static fromRequirements(requirements: readonly LabelRequirement[]): LabelSelector {
    return LabelSelector.#of(requirements.map(checked));
  }

  /** Objects that have all these labels. */
  static fromLabels(labels: Labels): LabelSelector {
    return LabelSelector.fromRequirements(requirementsOf(labels));
  }

  /** The object form; absent selects nothing, empty selects everything. */
  static fromObject(selector: LabelSelectorObject | null | undefined): LabelSelector {
    if (selector == null) return LabelSelector.nothing;
    const requirements = requirementsOf(selector.matchLabels).map(checked);
    for (const { key = "", operator = "", values = [] } of selector.matchExpressions ?? []) {
      const known = ownKey(OBJECT_OPERATORS, operator);
      if (known === undefined) {
        throw malformed(`${goQuote(operator)} is not a valid label selector operator`);
      }
      requirements.push(checked({ key, operator: known, values }));
    }
    return LabelSelector.#of(requirements);
  }

  static #of(requirements: readonly LabelRequirement[]): LabelSelector {
    return requirements.length === 0
      ? LabelSelector.everything
      : new LabelSelector(requirements, true);
  }

  matches(labels: Labels): boolean {
    if (!this.#selectsAnything) return false;
    for (const requirement of this.requirements) {
      if (!matchesRequirement(requirement, labels)) return false;
    }
    return true;
  }

  /** Whether every object matches. */
  isEmpty(): boolean {
    return this.#selectsAnything && this.requirements.length === 0;
  }

  /** The one value that the first requirement on this label allows, if it allows exactly one. */
  requiredValue(key: string): string | undefined {
    const requirement = this.requirements.find((candidate) => candidate.key === key);
    switch (requirement?.operator) {
      case "=":
      case "==":
      case "in":
        return requirement.values.length === 1 ? requirement.values[0] : undefined;
      default:
        return undefined;
    }
  }

  /** What matches this and these too. Selecting nothing stays nothing. */
  and(requirements: readonly LabelRequirement[]): LabelSelector {
    if (!this.#selectsAnything) return this;
    return LabelSelector.fromRequirements([...this.requirements, ...requirements]);
  }

  /** Canonical: requirements by key, values sorted. Parses back to the same selector. */
  toString(): string {
    return this.requirements.map(printRequirement).join(",");
  }
}

/** The errors validation reports for the object form at `path`. */
export function checkLabelSelector(
  selector: LabelSelectorObject | null | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const labels = path.child("matchLabels");
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) {
    for (const problem of checkLabelKey(key)) errors.push(FieldError.invalid(labels, key, problem));
    for (const problem of checkLabelValue(value)) {
      errors.push(FieldError.invalid(labels, value, problem));
    }
  }
  for (const [index, expression] of (selector?.matchExpressions ?? []).entries()) {
    errors.push(...checkExpression(expression, path.child("matchExpressions").index(index)));
  }
  return errors;
}

function checkExpression(
  { key, operator, values = [] }: NonNullable<LabelSelectorObject["matchExpressions"]>[number],
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!Object.hasOwn(OBJECT_OPERATORS, operator)) {
    errors.push(
      FieldError.invalid(path.child("operator"), operator, "not a valid selector operator"),
    );
  } else if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      const detail = "must be specified when `operator` is 'In' or 'NotIn'";
      errors.push(FieldError.required(path.child("values"), detail));
    }
  } else if (values.length > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    errors.push(FieldError.forbidden(path.child("values"), detail));
  }
  for (const problem of checkLabelKey(key)) {
    errors.push(FieldError.invalid(path.child("key"), key, problem));
  }
  for (const [index, value] of values.entries()) {
    for (const problem of checkLabelValue(value)) {
      errors.push(FieldError.invalid(path.child("values").index(index), value, problem));
    }
  }
  return errors;
}

function requirementsOf(labels: Labels): LabelRequirement[] {
  return Object.entries(labels ?? {}).map(([key, value]) => ({
    key,
    operator: "=",
    values: [value],
  }));
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const errors = checkRequirement(requirement);
  if (errors.length > 0) throw malformed(printFieldErrors(errors));
  return requirement;
}

function byKey(a: LabelRequirement, b: LabelRequirement): number {
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}

function malformed(message: string): SelectorError {
  return new SelectorError("label-selector-malformed", message);
}
