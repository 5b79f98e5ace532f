import { JsonEncodeError } from "./json-error.ts";
import { printPath } from "./print-path.ts";

/** An object or list that is being written. */
interface OpenContainer {
  readonly container: Readonly<Record<string, unknown>>;
  /** Names of the members that may still be written; undefined for a list. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  /** Index of the next key or element. */
  next: number;
  /** Whether nothing was written into it yet. */
  empty: boolean;
}

/**
 * The exact way to write a value: what `JSON.stringify` writes, and bigints, with open containers on
 * the heap, so that depth costs no stack.
 */
export function printJson(root: unknown): string {
  const stack: OpenContainer[] = [];
  const open = new Set<object>();
  let text = "";

  /** Writes a scalar, or the beginning of a container. */
  const begin = (value: unknown): void => {
    if (typeof value !== "object" || value === null) {
      text += printScalar(value, stack);
      return;
    }
    if (open.has(value)) throw unsupported(cycleVia(value), stack);
    open.add(value);
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    const length = keys?.length ?? (value as unknown[]).length;
    text += keys ? "{" : "[";
    stack.push({ container: value as Record<string, unknown>, keys, length, next: 0, empty: true });
  };

  begin(asData(root, ""));
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    if (top.next === top.length) {
      text += top.keys ? "}" : "]";
      open.delete(top.container);
      stack.pop();
      continue;
    }
    const key = top.keys?.[top.next] ?? String(top.next);
    const value = asData(top.container[key], key);
    top.next++;
    if (top.keys && !isWritten(value)) continue;
    if (!top.empty) text += ",";
    top.empty = false;
    if (top.keys) text += `${JSON.stringify(key)}:`;
    begin(value);
  }
  return text;
}

/** What stands for a value in JSON: objects such as Date bring a method that says it. */
function asData(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return value;
  if (typeof value.toJSON !== "function") return value;
  return (value as { toJSON(key: string): unknown }).toJSON(key);
}

function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

function printScalar(value: unknown, stack: readonly OpenContainer[]): string {
  if (typeof value === "string" || typeof value === "boolean" || value === null) {
    return JSON.stringify(value);
  }
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  throw unsupported(printUnsupported(value), stack);
}

/** Go's names where Go has the value. */
function printUnsupported(value: unknown): string {
  if (typeof value !== "number") return typeof value;
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
}

function cycleVia(value: object): string {
  return `encountered a cycle via ${Array.isArray(value) ? "[]interface {}" : "map[string]interface {}"}`;
}

/** Names the place of the value that is being written: behind the last step of every container. */
function unsupported(what: string, stack: readonly OpenContainer[]): JsonEncodeError {
  const steps = stack.map(({ keys, next }) => keys?.[next - 1] ?? next - 1);
  return new JsonEncodeError(what, printPath(steps));
}
