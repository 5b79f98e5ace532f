import type { JsonObject, ObjectSchema } from "@homeostat/object-model";
import { type ObjectPlan, planOf } from "./object-plan.ts";
import { sortKeys } from "./sort-keys.ts";

/**
 * Puts the keys of values without a schema in order, as they come out when Go takes an object apart
 * into maps: strategic merge does, the other ways of writing keep the order the client chose.
 */
export function sortRawValues(schema: ObjectSchema, object: JsonObject): void {
  sortFields(planOf(schema), object);
}

function sortFields(plan: ObjectPlan, object: JsonObject): void {
  for (const key of Object.keys(object)) {
    const field = plan.fields.get(key);
    const value = object[key];
    if (field === undefined || typeof value !== "object" || value === null) continue;
    if (field.kind === "any" || field.kind === "any-object") object[key] = sortKeys(value);
    else if (field.kind === "object") {
      const held = field.shape === "single" ? [value] : Object.values(value);
      for (const each of held) {
        if (typeof each === "object" && each !== null) sortFields(field.plan, each as JsonObject);
      }
    }
  }
}
