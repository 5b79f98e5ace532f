import type { JsonValue } from "../json/json-value.ts";
import { jsonKind } from "./json-kind.ts";

/**
 * Values and types as Go prints them. Kubernetes' patch errors quote patches with `%v`, so saying
 * the same in the same situation needs the same print. For messages only.
 */
export function goText(value: JsonValue): string {
  return print(value, "v", 0);
}

/** `%s`: a string as it is, any other scalar as Go's complaint about it. */
export function goString(value: JsonValue): string {
  return value === null ? "%!s(<nil>)" : print(value, "s", 0);
}

/** The Go type a decoded value has; `%!s(<nil>)` for null is how Go prints a missing type. */
export function goType(value: JsonValue): string {
  switch (jsonKind(value)) {
    case "null":
      return "%!s(<nil>)";
    case "array":
      return "[]interface {}";
    case "object":
      return "map[string]interface {}";
    case "bool":
      return "bool";
    case "string":
      return "string";
    case "number":
      return isInt64(value) ? "int64" : "float64";
  }
}

/** How deep a value is printed: what the server stores may nest deeper than the stack can go. */
const PRINTED_LEVELS = 100;

function print(value: JsonValue, verb: "v" | "s", level: number): string {
  if (value === null) return "<nil>";
  if (typeof value === "string") return value;
  if (typeof value === "object") {
    if (level >= PRINTED_LEVELS) return "...";
    if (Array.isArray(value)) {
      return `[${value.map((item) => print(item, verb, level + 1)).join(" ")}]`;
    }
    const members = Object.keys(value)
      .sort()
      .map((key) => `${key}:${print(value[key] ?? null, verb, level + 1)}`);
    return `map[${members.join(" ")}]`;
  }
  const text = typeof value === "number" ? goNumber(value) : String(value);
  return verb === "v" ? text : `%!s(${goType(value)}=${text})`;
}

/** `%v` of a float turns to exponents below 1e-4 and from 1e6; integers never do. */
function goNumber(value: number): string {
  if (isInt64(value)) return String(value);
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  const sign = power < 0 ? "-" : "+";
  return `${digits}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

function isInt64(value: JsonValue): boolean {
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value;
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}
