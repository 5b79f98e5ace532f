import type { JsonValue } from "@homeostat/object-model";
import type { ValueKind } from "./object-plan.ts";

/** What Go prints for a value that nobody gave. Undefined for a struct: it depends on its fields. */
export function zeroValue(kind: ValueKind): JsonValue | undefined {
  switch (kind) {
    case "bool":
      return false;
    case "double":
    case "int32":
    case "int64":
    case "int-or-string":
      return 0;
    case "string":
      return "";
    case "quantity":
      return "0";
    case "duration":
      return "0s";
    case "object":
      return undefined;
    default:
      return null;
  }
}
