import { encodeJson, type JsonObject, type JsonValue, ownKey } from "@homeostat/object-model";

/** A path of a definition, `.spec.replicas`, finds something of another type than it should. */
export class NestedValueError extends Error {
  override readonly name: string = "NestedValueError";
  readonly code = "nested-value";
}

/** Undefined where any step of the path is missing. The messages are kube-apiserver's. */
export function nestedInteger(object: JsonObject, path: string): number | undefined {
  const value = nestedValue(object, path);
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value)) return value;
  if (typeof value === "bigint") return Number(value);
  throw new NestedValueError(accessorError(path, value, "int64"));
}

export function nestedText(object: JsonObject, path: string): string | undefined {
  const value = nestedValue(object, path);
  if (value === undefined || typeof value === "string") return value;
  throw new NestedValueError(accessorError(path, value, "string"));
}

/** What the steps of the path lead to, without a word about its type. */
export function nestedValue(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue = object;
  const steps = stepsOf(path);
  for (const [index, step] of steps.entries()) {
    if (value === null) return undefined;
    if (typeof value !== "object" || Array.isArray(value)) {
      const walked = `.${steps.slice(0, index + 1).join(".")}`;
      throw new NestedValueError(
        `${walked} accessor error: ${printGo(value)} is of the type ${goTypeOf(value)}, expected map[string]interface{}`,
      );
    }
    const next: JsonValue | undefined = ownKey(value, step);
    if (next === undefined) return undefined;
    value = next;
  }
  return value;
}

/** Sets what the path leads to, making the objects on the way. */
export function setNestedValue(object: JsonObject, path: string, value: JsonValue): void {
  const steps = stepsOf(path);
  let target = object;
  for (const step of steps.slice(0, -1)) {
    const next = target[step];
    if (typeof next !== "object" || next === null || Array.isArray(next)) {
      if (next !== undefined) {
        throw new NestedValueError(
          `value cannot be set because .${steps.join(".")} is not a map[string]interface{}`,
        );
      }
      target[step] = {};
    }
    target = target[step] as JsonObject;
  }
  target[steps.at(-1)!] = value;
}

function stepsOf(path: string): string[] {
  return path.replace(/^\./, "").split(".");
}

function accessorError(path: string, value: JsonValue, expected: string): string {
  const walked = `.${stepsOf(path).join(".")}`;
  return `${walked} accessor error: ${printGo(value)} is of the type ${goTypeOf(value)}, expected ${expected}`;
}

function goTypeOf(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "object":
      return "map[string]interface {}";
    default:
      return Number.isInteger(Number(value)) ? "int64" : "float64";
  }
}

/** As Go's %v. */
function printGo(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(printGo).join(" ")}]`;
  if (typeof value === "object") {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${key}:${printGo(ownKey(value, key)!)}`);
    return `map[${entries.join(" ")}]`;
  }
  return typeof value === "string" ? value : encodeJson(value);
}
