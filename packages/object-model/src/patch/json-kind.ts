import type { JsonObject, JsonValue } from "../json/json-value.ts";

export type JsonKind = "null" | "array" | "object" | "bool" | "string" | "number";

/** Which kind of JSON a value is, in the words of Go's encoding/json. */
export function jsonKind(value: JsonValue): JsonKind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "object":
      return "object";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    default:
      return "number";
  }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isContainer(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return typeof value === "object" && value !== null;
}
