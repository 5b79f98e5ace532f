import { FieldError, type FieldPath } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import { itemsOf, propertyOf } from "./schema-source.ts";

type Source = Readonly<JSONSchemaProps>;

interface Pair {
  /** Conditions, and where they stand. */
  readonly condition: Source;
  readonly conditionPath: FieldPath;
  /** The schema that declares what they speak of; undefined where it declares nothing. */
  readonly schema: Source | undefined;
  readonly path: FieldPath;
}

/** Fields that allOf, anyOf, oneOf or not speak of and that are declared nowhere. */
export function checkCompleteness(schema: Source, path: FieldPath, errors: FieldError[]): void {
  checkConditions({ condition: schema, conditionPath: path, schema, path }, errors);
}

function checkConditions(pair: Pair, errors: FieldError[]): void {
  const { condition, conditionPath } = pair;
  const nested: [Source, FieldPath][] = [];
  if (condition.not !== undefined) nested.push([condition.not, conditionPath.child("not")]);
  for (const name of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, each] of (condition[name] ?? []).entries()) {
      nested.push([each, conditionPath.child(name).index(index)]);
    }
  }
  for (const [each, at] of nested) {
    checkNested({ ...pair, condition: each, conditionPath: at }, errors);
  }
}

function checkNested({ condition, conditionPath, schema, path }: Pair, errors: FieldError[]): void {
  if (schema === undefined) {
    errors.push(FieldError.required(path, `because it is defined in ${String(conditionPath)}`));
    return;
  }
  checkConditions({ condition, conditionPath, schema, path }, errors);
  const items = itemsOf(condition);
  if (items !== undefined) {
    checkNested(
      {
        condition: items,
        conditionPath: conditionPath.child("items"),
        schema: itemsOf(schema),
        path: path.child("items"),
      },
      errors,
    );
  }
  for (const name of Object.keys(condition.properties ?? {})) {
    checkNested(
      {
        condition: propertyOf(condition, name)!,
        conditionPath: conditionPath.child("properties").key(name),
        schema: propertyOf(schema, name),
        path: path.child("properties").key(name),
      },
      errors,
    );
  }
}
