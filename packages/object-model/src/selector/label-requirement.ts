import { FieldError } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import { ownKey } from "../json/own-key.ts";
import { checkLabelKey, checkLabelValue } from "../name-validation.ts";

/** As apimachinery names them. `=` and `==` mean the same and print as written. */
export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | "gt" | "lt";

/** The operators with a right-hand side, in the order messages list them. */
export const BINARY_OPERATORS: readonly LabelOperator[] = [
  "in",
  "notin",
  "=",
  "==",
  "!=",
  "gt",
  "lt",
];

/** One condition on one label. All requirements of a selector must hold. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** None for `exists` and `!`, at least one for `in` and `notin`, exactly one for the others. */
  readonly values: readonly string[];
}

/** Labels as objects hold them; absent means none. */
export type Labels = Readonly<Record<string, string>> | undefined;

export function matchesRequirement(requirement: LabelRequirement, labels: Labels): boolean {
  const value = ownKey(labels, requirement.key);
  switch (requirement.operator) {
    case "=":
    case "==":
    case "in":
      return value !== undefined && requirement.values.includes(value);
    case "!=":
    case "notin":
      return value === undefined || !requirement.values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "gt":
    case "lt":
      return compares(requirement, value);
  }
}

function compares({ operator, values }: LabelRequirement, value: string | undefined): boolean {
  const actual = parseInt64(value);
  const bound = parseInt64(values[0]);
  if (actual === undefined || bound === undefined) return false;
  return operator === "gt" ? actual > bound : actual < bound;
}

/** Undefined for text that Go's `strconv.ParseInt` refuses. */
function parseInt64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

export function printRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${sorted(values).join(",")})`;
    case "gt":
      return `${key}>${values[0]}`;
    case "lt":
      return `${key}<${values[0]}`;
    default:
      return key + operator + sorted(values).join(",");
  }
}

function sorted(values: readonly string[]): readonly string[] {
  return values.length < 2 ? values : values.toSorted();
}

/** What is wrong with a requirement, in the words and order of apimachinery's NewRequirement. */
export function checkRequirement({ key, operator, values }: LabelRequirement): FieldError[] {
  const errors = checkKey(key, FieldPath.of("key"));
  const path = FieldPath.of("values");
  const wrongCount = countProblem(operator, values.length);
  // Go prints a list that was never filled as null.
  const shown = values.length === 0 ? null : values;
  if (wrongCount !== undefined) errors.push(FieldError.invalid(path, shown, wrongCount));
  if (operator === "gt" || operator === "lt") {
    for (const [index, value] of values.entries()) {
      if (parseInt64(value) === undefined) {
        const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
        errors.push(FieldError.invalid(path.index(index), value, detail));
      }
    }
  }
  for (const [index, value] of values.entries()) {
    const problems = checkLabelValue(value);
    if (problems.length > 0) {
      errors.push(FieldError.invalid(path.index(index).key(key), value, problems.join("; ")));
    }
  }
  return errors;
}

/** At most one error, whatever is wrong with the key. */
export function checkKey(key: string, path: FieldPath | undefined): FieldError[] {
  const problems = checkLabelKey(key);
  return problems.length === 0 ? [] : [FieldError.invalid(path, key, problems.join("; "))];
}

function countProblem(operator: LabelOperator, count: number): string | undefined {
  switch (operator) {
    case "in":
    case "notin":
      return count > 0 ? undefined : "for 'in', 'notin' operators, values set can't be empty";
    case "exists":
    case "!":
      return count === 0 ? undefined : "values set must be empty for exists and does not exist";
    case "gt":
    case "lt":
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
    default:
      return count === 1 ? undefined : "exact-match compatibility requires one single value";
  }
}
