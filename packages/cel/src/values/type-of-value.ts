import { BOOL, BYTES, DOUBLE, INT, NULL, STRING, type Type } from "../expression-types/type.ts";
import type { Value } from "./value.ts";

export function typeOfValue(value: Value): Type {
  switch (typeof value) {
    case "boolean":
      return BOOL;
    case "bigint":
      return INT;
    case "number":
      return DOUBLE;
    case "string":
      return STRING;
    default:
      if (value === null) return NULL;
      return value instanceof Uint8Array ? BYTES : value.celType;
  }
}
