/** Tolerations in an annotation, as Go's JSON decoder reads its internal type: names in any case. */
import { decodeJson, JsonError, type JsonValue } from "@homeostat/object-model";
import type { Toleration } from "@homeostat/object-model/core-v1";

const FIELDS = [
  ["Key", "key", "string"],
  ["Operator", "operator", "core.TolerationOperator"],
  ["Value", "value", "string"],
  ["Effect", "effect", "core.TaintEffect"],
  ["TolerationSeconds", "tolerationSeconds", "int64"],
] as const;

export type ReadTolerations =
  | { readonly tolerations: readonly Toleration[] }
  | { readonly problem: string };

/** The problem is the first that the decoder finds, in its words. */
export function readTolerations(text: string): ReadTolerations {
  let value: JsonValue;
  try {
    value = decodeJson(text);
  } catch (error) {
    if (error instanceof JsonError) return { problem: error.reason };
    throw error;
  }
  if (value === null) return { tolerations: [] };
  if (!Array.isArray(value)) return { problem: cannot(value, "value of type []core.Toleration") };
  const tolerations: Toleration[] = [];
  for (const element of value) {
    if (element === null) {
      tolerations.push({});
      continue;
    }
    if (typeof element !== "object" || Array.isArray(element)) {
      return { problem: cannot(element, "value of type core.Toleration") };
    }
    const toleration: Record<string, JsonValue> = {};
    for (const [name, member] of Object.entries(element)) {
      const field = FIELDS.find(([key]) => key.toLowerCase() === name.toLowerCase());
      if (field === undefined || member === null) continue;
      const [key, own, type] = field;
      const fits = type === "int64" ? Number.isInteger(member) : typeof member === "string";
      if (!fits)
        return { problem: cannot(member, `struct field Toleration.${key} of type ${type}`) };
      toleration[own] = member;
    }
    tolerations.push(toleration);
  }
  return { tolerations };
}

function cannot(value: JsonValue, what: string): string {
  return `json: cannot unmarshal ${kindOf(value, what)} into Go ${what}`;
}

/** A number is shown where only its form is wrong. */
function kindOf(value: JsonValue, what: string): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" && what.endsWith("int64")) return `number ${value}`;
  return typeof value === "bigint" ? "number" : typeof value;
}
