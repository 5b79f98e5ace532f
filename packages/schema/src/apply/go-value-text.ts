/** Values as Go prints them: messages of a merge quote what did not fit. */

import type { JsonValue } from "@homeostat/object-model";
import { compareBytewise } from "@homeostat/object-model";

/** `%v` */
export function goText(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "number") return goFloat(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  return `map[${sortedKeys(value)
    .map((key) => `${key}:${goText(value[key]!)}`)
    .join(" ")}]`;
}

/** `%#v` */
export function goSyntax(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return goFloat(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  return `map[string]interface {}{${sortedKeys(value)
    .map((key) => `${JSON.stringify(key)}:${goSyntax(value[key]!)}`)
    .join(", ")}}`;
}

/** `%T` */
export function goTypeName(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value !== "object") return "float64";
  return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}

/** All numbers of an applied object are floats, which print with exponents from 1e21 on. */
function goFloat(value: number): string {
  return String(value).replace(/e([+-])(\d)$/, "e$10$2");
}

function sortedKeys(value: object): string[] {
  return Object.keys(value).toSorted(compareBytewise);
}
