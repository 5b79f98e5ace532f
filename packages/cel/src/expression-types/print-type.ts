import type { Type } from "./type.ts";

/** As messages of the checker print it: `list(map(string, dyn))`. */
export function printType(type: Type): string {
  switch (type.kind) {
    case "list":
      return `list(${printType(type.element)})`;
    case "map":
      return `map(${printType(type.key)}, ${printType(type.value)})`;
    case "optional":
      return `optional_type(${printType(type.element)})`;
    case "type":
      return type.of === undefined ? "type" : `type(${printType(type.of)})`;
    case "error":
      return "!error!";
    case "param":
    case "opaque":
    case "object":
      return type.name;
    default:
      return type.kind;
  }
}

/** The bare name, as the type is referred to in expressions and in messages of evaluation. */
export function printTypeName(type: Type): string {
  switch (type.kind) {
    case "optional":
      return "optional_type";
    case "null":
      return "null_type";
    case "timestamp":
      return "google.protobuf.Timestamp";
    case "duration":
      return "google.protobuf.Duration";
    case "param":
    case "opaque":
    case "object":
      return type.name;
    default:
      return type.kind;
  }
}
