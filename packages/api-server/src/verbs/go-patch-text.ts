import type { JsonValue } from "@homeostat/object-model";
import { compareBytewise } from "@homeostat/object-model";
import type { ObjectDecodeError } from "../codec/object-decode-error.ts";

/** A decoded patch as Go's `%v` prints it, which refusals of strategic merge quote. */
export function goPrint(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goPrint).join(" ")}]`;
  if (typeof value !== "object") return String(value);
  const keys = Object.keys(value).toSorted(compareBytewise);
  return `map[${keys.map((key) => `${key}:${goPrint(value[key]!)}`).join(" ")}]`;
}

const MISMATCH =
  /^json: cannot unmarshal (\w+)(?: (\S+))? into Go (?:struct field|value).* of type (\S+)$/;

/**
 * Strategic merge turns maps into structs by another way than decoding JSON does, with words of its
 * own for what does not fit.
 */
export function restoreProblem({ message, inner }: ObjectDecodeError, patch: JsonValue): string {
  if (inner !== undefined) return inner;
  if (message.startsWith("illegal base64")) return `error decoding from json: ${message}`;
  const [, given, digits, type] = MISMATCH.exec(message) ?? [];
  if (given === undefined || type === undefined) return message;
  if (digits !== undefined) return `cannot convert float64 to ${type}`;
  const kind = { object: "map", array: "slice", bool: "bool", number: "int64" }[given] ?? given;
  if (type.startsWith("[]")) return `cannot restore slice from ${kind}`;
  if (type.startsWith("map[")) return `cannot restore map from ${kind}`;
  if (type.includes(".")) return `cannot restore struct from: ${kind}`;
  if (given === "number" && type === "string" && !holdsFraction(patch)) {
    return "cannot convert int64 to string";
  }
  return `unrecognized type: ${type}`;
}

/** The message does not say which number it is about; the stored object holds none that is wrong. */
function holdsFraction(value: JsonValue): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(holdsFraction);
  return typeof value === "number" && !Number.isInteger(value);
}
