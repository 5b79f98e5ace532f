import type { WorkSteps } from "@homeostat/cel";
import { ApiError, type FieldError, type ObjectSchema } from "@homeostat/object-model";
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
  return yield* inSteps((place) => rule(object as never, place), context);
}

export function* validateChangeInSteps(
  schema: ObjectSchema | undefined,
  change: { readonly value: object; readonly old: object },
  context: RuleContext,
): WorkSteps<FieldError[]> {
  const rule = schema && findTypeRules(schema.name)?.validateChange;
  if (rule === undefined) return [];
  return yield* inSteps((place) => rule(change as never, place), context);
}

function* inSteps(
  walk: (place: Place<RuleContext>) => void,
  context: RuleContext,
): WorkSteps<FieldError[]> {
  const later = new LaterVisits();
  const errors = yield* later.walk(() => walk(Place.rootOf(context, later)));
  if (errors !== undefined) return errors;
  // What kube-apiserver says in the end, without the wait.
  throw ApiError.timeout(
    "request did not complete within requested timeout - context deadline exceeded",
  );
}
