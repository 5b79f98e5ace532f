import type { JsonValue } from "@homeostat/object-model";
import { isJsonInteger, type ValueKind } from "./go-value.ts";
import type { SchemaCheck } from "./schema-check.ts";

/** What was wanted of a value and what it is, as types or formats; undefined: it fits. */
export function typeProblem(
  { types, format }: SchemaCheck,
  value: JsonValue,
  kind: ValueKind,
): { readonly wanted: string; readonly got: string } | undefined {
  const isText = kind === "string" || kind === "array";
  if ((format === "" || !isText) && types.includes(kind)) return undefined;
  const isNumeric = types.includes("number") || types.includes("integer");
  const isFloatInteger =
    kind === "number" && types.includes("integer") && isJsonInteger(value as number);
  const isIntegerFloat = kind === "integer" && types.includes("number");
  const goFormat = kind === "integer" ? "int64" : kind === "number" ? "float64" : "";
  if (!isText && format !== "" && goFormat !== format && !isFloatInteger && !isIntegerFloat) {
    return { wanted: format, got: goFormat };
  }
  if (!isNumeric && format !== "" && isText) return undefined;
  if (types.includes(kind) || isFloatInteger || isIntegerFloat) return undefined;
  return { wanted: types.join(","), got: kind };
}
