/**
 * Whether values are what a schema says. Start here: `validateAgainst` for a value as it stands,
 * `validateChangeAgainst` for one that takes the place of another, where what did not change may stay
 * as invalid as it was. Errors are those of kube-apiserver, word for word; it walks maps in random
 * order, we in the order of the object.
 */
import type { FieldError, FieldPath, JsonValue } from "@homeostat/object-model";
import type { StructuralSchema } from "../structural/structural-schema.ts";
import { Correlation } from "./correlation.ts";
import { type CheckPurpose, SchemaCheck } from "./schema-check.ts";
import { ValidationWalk } from "./validation-walk.ts";

export interface ValidateOptions {
  /** Where in the object the value stands. Default: it is the object. */
  readonly path?: FieldPath;
  /** Default "object". */
  readonly purpose?: CheckPurpose;
}

export function validateAgainst(
  value: JsonValue,
  schema: StructuralSchema,
  options: ValidateOptions = {},
): FieldError[] {
  const walk = new ValidationWalk(options.path);
  walk.check(checkOf(schema, options.purpose ?? "object"), value);
  return walk.isValid ? [] : walk.errors;
}

/** Looks at the old value only where something is wrong with the new one. */
export function validateChangeAgainst(
  change: { readonly value: JsonValue; readonly old: JsonValue | undefined },
  schema: StructuralSchema,
  options: { readonly path?: FieldPath } = {},
): FieldError[] {
  const errors = validateAgainst(change.value, schema, options);
  if (errors.length === 0 || change.old === undefined) return errors;
  const walk = new ValidationWalk(options.path);
  const correlation = new Correlation(change.value, change.old, schema);
  walk.check(checkOf(schema, "object"), change.value, correlation);
  return walk.errors;
}

function checkOf(schema: StructuralSchema, purpose: CheckPurpose): SchemaCheck {
  if (purpose === "default") return new SchemaCheck(schema, purpose);
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const check = new SchemaCheck(schema, purpose);
  checks.set(schema, check);
  return check;
}

const checks = new WeakMap<StructuralSchema, SchemaCheck>();
