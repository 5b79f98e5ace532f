import { elementsOf, isList } from "./list-value.ts";
import { isMap } from "./map-value.ts";
import { printDouble } from "./print-double.ts";
import { printDurationValue, printTimestamp } from "./time-text.ts";
import { isDuration, isTimestamp } from "./time-value.ts";
import { isTypeValue } from "./type-value.ts";
import { isUint } from "./uint-value.ts";
import type { Value } from "./value.ts";

/** As messages show a value. */
export function printValue(value: Value): string {
  if (typeof value === "number") return printDouble(value);
  if (value === null) return "NULL_VALUE";
  if (typeof value !== "object") return value.toString();
  if (value instanceof Uint8Array) return `[${value.join(" ")}]`;
  if (isUint(value)) return value.value.toString();
  if (isTimestamp(value)) return printTimestamp(value);
  if (isDuration(value)) return printDurationValue(value);
  if (isTypeValue(value)) return value.typeName;
  if (isList(value)) return `[${[...elementsOf(value)].map(printValue).join(", ")}]`;
  if (isMap(value)) {
    const entries = [...value.keys()].map(
      (key) => `${printValue(key)}: ${printValue(value.find(key) ?? null)}`,
    );
    return `{${entries.join(", ")}}`;
  }
  return value.celType.kind;
}
