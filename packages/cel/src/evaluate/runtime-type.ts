import type { Type } from "../expression-types/type.ts";
import { isList } from "../values/list-value.ts";
import { isMap } from "../values/map-value.ts";
import { isOptional } from "../values/optional-value.ts";
import { typeOfValue } from "../values/type-of-value.ts";
import { isTypeValue } from "../values/type-value.ts";
import type { Value } from "../values/value.ts";

/** Whether a value may be an argument for a parameter. Of lists and maps the first entry tells. */
export function admits(type: Type, value: Value): boolean {
  switch (type.kind) {
    case "dyn":
    case "param":
      return true;
    case "int":
      return typeof value === "bigint";
    case "string":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "double":
      return typeof value === "number";
    case "list":
      return isList(value) && (value.size === 0 || admits(type.element, value.at(0)));
    case "map":
      return isMap(value) && admitsFirst(type, value);
    case "optional":
      return isOptional(value) && (value.value === undefined || admits(type.element, value.value));
    case "type":
      return isTypeValue(value);
    case "opaque": {
      const actual = typeOfValue(value);
      return actual.kind === "opaque" && actual.name === type.name;
    }
    case "object": {
      const actual = typeOfValue(value);
      return actual.kind === "object" ? actual.name === type.name : isMap(value);
    }
    default:
      return typeOfValue(value).kind === type.kind;
  }
}

function admitsFirst(type: Extract<Type, { kind: "map" }>, value: Value): boolean {
  if (!isMap(value)) return false;
  for (const key of value.keys()) {
    const entry = value.find(key);
    return admits(type.key, key) && (entry === undefined || admits(type.value, entry));
  }
  return true;
}
