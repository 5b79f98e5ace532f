import type { WorkSteps } from "@homeostat/cel";
import type { FieldError, ObjectSchema } from "@homeostat/object-model";
import { LaterVisits, Place } from "@homeostat/schema";
import { findTypeRules } from "./builtin-rules.ts";
import type { RuleContext } from "./type-rules.ts";

/** What the rules of its kind find wrong with a new object. */
export function validateNew(
  schema: ObjectSchema | undefined,
  object: object,
  context: RuleContext,
): FieldError[] {
  const rule = schema && findTypeRules(schema.name)?.validate;
  if (rule === undefined) return [];
  const place = Place.root(context);
  rule(object as never, place);
  return place.errors;
}

/** What they find wrong with an update. */
export function validateChange(
  schema: ObjectSchema | undefined,
  change: { readonly value: object; readonly old: object },
  context: RuleContext,
): FieldError[] {
  const rule = schema && findTypeRules(schema.name)?.validateChange;
  if (rule === undefined) return [];
  const place = Place.root(context);
  rule(change as never, place);
  return place.errors;
}

/** The same in steps, of which there is only one unless the object holds long lists. */
export function* validateNewInSteps(
  schema: ObjectSchema | undefined,
  object: object,
  context: RuleContext,
): WorkSteps<FieldError[]> {
  const rule = schema && findTypeRules(schema.name)?.validate;
  if (rule === undefined) return [];
  const later = new LaterVisits();
  rule(object as never, Place.rootOf(context, later));
  return yield* later.finish();
}

export function* validateChangeInSteps(
  schema: ObjectSchema | undefined,
  change: { readonly value: object; readonly old: object },
  context: RuleContext,
): WorkSteps<FieldError[]> {
  const rule = schema && findTypeRules(schema.name)?.validateChange;
  if (rule === undefined) return [];
  const later = new LaterVisits();
  rule(change as never, Place.rootOf(context, later));
  return yield* later.finish();
}
