import type { JsonValue } from "@homeostat/object-model";

/** What Go calls the type of a JSON value in its messages. */
export function jsonTypeOf(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "bigint" ? "number" : typeof value;
}
