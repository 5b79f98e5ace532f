/**
 * Whether values are what a schema says. Start here: `validateAgainst` for a value as it stands,
 * `validateChangeAgainst` for one that takes the place of another, where what did not change may stay
 * as invalid as it was. Errors are those of kube-apiserver, word for word; it walks maps in random
 * order, we in the order of the object.
 */
import { finishNow, type WorkSteps } from "@homeostat/cel";
import type { FieldError, FieldPath, JsonValue } from "@homeostat/object-model";
import type { StructuralSchema } from "../structural/structural-schema.ts";
import { Correlation } from "./correlation.ts";
import { PatternVerdicts } from "./pattern-verdicts.ts";
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
  return finishNow(validateAgainstInSteps(value, schema, options));
}

/** The same in steps, for values that may be large. */
export function* validateAgainstInSteps(
  value: JsonValue,
  schema: StructuralSchema,
  options: ValidateOptions = {},
): WorkSteps<FieldError[]> {
  const check = checkOf(schema, options.purpose ?? "object");
  const walk = new ValidationWalk(options.path, new PatternVerdicts());
  const checked = walk.check(check, value);
  if (typeof checked !== "number") yield* checked;
  return walk.isValid ? [] : walk.errors;
}

/** In steps. Looks at the old value only where something is wrong with the new one. */
export function* validateChangeAgainst(
  change: { readonly value: JsonValue; readonly old: JsonValue | undefined },
  schema: StructuralSchema,
  options: { readonly path?: FieldPath } = {},
): WorkSteps<FieldError[]> {
  const check = checkOf(schema, "object");
  const verdicts = new PatternVerdicts();
  const walk = new ValidationWalk(options.path, verdicts);
  const checked = walk.check(check, change.value);
  if (typeof checked !== "number") yield* checked;
  if (walk.isValid) return [];
  if (change.old === undefined) return walk.errors;
  const lenient = new ValidationWalk(options.path, verdicts);
  const correlation = new Correlation(change.value, change.old, schema);
  const checkedAgain = lenient.check(check, change.value, correlation);
  if (typeof checkedAgain !== "number") yield* checkedAgain;
  return lenient.errors;
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
