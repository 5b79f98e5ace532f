import type { JsonValue } from "@homeostat/object-model";
import type { MergeSchema } from "@homeostat/schema";

/**
 * Where a configuration speaks of lists, maps or structs that can only be written as a whole: laying
 * it over an object would take away all that it does not mention.
 */
export function atomicPaths(value: JsonValue, schema: MergeSchema, path = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const found: string[] = [];
  if (Array.isArray(value)) {
    const { list } = schema;
    if (list === undefined) return [];
    if (list.relation === "atomic") found.push(path);
    for (const [index, item] of value.entries()) {
      if (list.element !== undefined) {
        found.push(...atomicPaths(item, list.element, `${path}[${index}]`));
      }
    }
    return found;
  }
  const { map } = schema;
  if (map === undefined) return [];
  if (map.relation === "atomic") found.push(path);
  for (const key of Object.keys(value)) {
    const field = map.fields.get(key);
    if (field !== undefined) found.push(...atomicPaths(value[key]!, field.type, `${path}.${key}`));
  }
  return found;
}
