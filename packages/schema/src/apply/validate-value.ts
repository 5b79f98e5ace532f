import { finishNow, type WorkSteps } from "@homeostat/cel";
import type { JsonValue } from "@homeostat/object-model";
import { fitsType } from "./fits-type.ts";
import { goSyntax, goText, goTypeName } from "./go-value-text.ts";
import { elementOf, ListElementError } from "./list-element.ts";
import {
  formOf,
  type ListForm,
  type MapForm,
  type MergeSchema,
  type ScalarForm,
  typeOfKey,
} from "./merge-schema.ts";
import { MergeValueError, type ValueProblem } from "./merge-value-error.ts";
import { fieldElement, printFieldPath } from "./path-element.ts";

export interface ValidateOptions {
  /** What is stored may hold an element twice; what is applied may not. Default false. */
  readonly allowDuplicates?: boolean;
}

/** Whether a value has its type's form all the way down. Throws MergeValueError with all that is wrong. */
export function validateValue(
  value: JsonValue,
  schema: MergeSchema,
  options: ValidateOptions = {},
): void {
  finishNow(validateValueInSteps(value, schema, options));
}

/** The same, with rests in between where it is much. */
export function* validateValueInSteps(
  value: JsonValue,
  schema: MergeSchema,
  { allowDuplicates = false }: ValidateOptions = {},
): WorkSteps<void> {
  if (fitsType(value, schema, { allowDuplicates })) return;
  const problems = yield* problemsInSteps(value, schema, { allowDuplicates });
  if (problems.length > 0) throw new MergeValueError(problems);
}

/** All that is wrong, found by a look at everything. */
export function* problemsInSteps(
  value: JsonValue,
  schema: MergeSchema,
  { allowDuplicates = false }: ValidateOptions,
): WorkSteps<readonly ValueProblem[]> {
  const validator = new Validator(allowDuplicates);
  yield* validator.visit(value, schema);
  return validator.problems;
}

/** Members of maps and lists between two rests. */
const PER_STEP = 2048;

class Validator {
  readonly problems: ValueProblem[] = [];
  readonly #path: string[] = [];
  readonly #allowDuplicates: boolean;
  #visited = 0;

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  *visit(value: JsonValue, schema: MergeSchema): WorkSteps<void> {
    switch (formOf(schema, value)) {
      case "map":
        return yield* this.#map(value, schema.map!);
      case "list":
        return yield* this.#list(value, schema.list!);
      default:
        this.#scalar(value, schema.scalar!);
    }
  }

  *#member(value: JsonValue, schema: MergeSchema): WorkSteps<void> {
    this.#visited += 1;
    if (this.#visited % PER_STEP === 0) yield;
    yield* this.visit(value, schema);
  }

  #scalar(value: JsonValue, scalar: ScalarForm): void {
    const detail = scalarProblem(scalar, value);
    if (detail !== undefined) this.#report(detail);
  }

  #report(detail: string): void {
    this.problems.push({ path: printFieldPath(this.#path), detail });
  }

  *#map(value: JsonValue, map: MapForm): WorkSteps<void> {
    if (value === null) return;
    if (typeof value !== "object" || Array.isArray(value)) {
      return this.#report(`expected map, got &{${goText(value)}}`);
    }
    for (const key of Object.keys(value)) {
      const type = typeOfKey(map, key);
      this.#path.push(fieldElement(key));
      if (type !== undefined) yield* this.#member(value[key]!, type);
      else this.#report("field not declared in schema");
      this.#path.pop();
      if (type === undefined) return;
    }
  }

  *#list(value: JsonValue, list: ListForm): WorkSteps<void> {
    if (value === null) return;
    if (!Array.isArray(value)) return this.#report(`expected list, got &{${goText(value)}}`);
    if (list.element === undefined) return;
    const seen = list.relation === "associative" ? new Set<string>() : undefined;
    for (let index = 0; index < value.length; index++) {
      const item = value[index]!;
      const element = seen === undefined ? `i:${index}` : this.#element(list, item, index);
      if (element === undefined) return;
      if (seen !== undefined) {
        if (seen.has(element) && !this.#allowDuplicates) {
          this.#report(`duplicate entries for key ${printFieldPath([element])}`);
        }
        seen.add(element);
      }
      this.#path.push(element);
      yield* this.#member(item, list.element);
      this.#path.pop();
    }
  }

  #element(list: ListForm, item: JsonValue, index: number): string | undefined {
    try {
      return elementOf(list, item);
    } catch (error) {
      if (!(error instanceof ListElementError)) throw error;
      this.#report(`element ${index}: ${error.message}`);
      return undefined;
    }
  }
}

function scalarProblem(scalar: ScalarForm, value: JsonValue): string | undefined {
  if (value === null) return undefined;
  const type = typeof value;
  switch (scalar) {
    case "numeric":
      if (type === "number" || type === "bigint") return undefined;
      return `expected numeric (int or float), got ${goTypeName(value)}`;
    case "string":
      if (type === "string") return undefined;
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case "boolean":
      return type === "boolean" ? undefined : `expected boolean, got &{${goText(value)}}`;
    default:
      return type === "object" ? `expected any scalar, got &{${goText(value)}}` : undefined;
  }
}
