import {
  cloneJson,
  type JsonObject,
  type JsonValue,
  ownKey,
  setOwnKey,
} from "@homeostat/object-model";
import type { Edit, PathStep } from "./probe.ts";

/** A changed copy. Objects that are missing on the way are made; an index may be the list's length. */
export function applyEdits(object: JsonObject, edits: readonly Edit[]): JsonObject {
  const changed = cloneJson(object);
  for (const edit of edits) applyEdit(changed, edit);
  return changed;
}

function applyEdit(object: JsonObject, { at, value }: Edit): void {
  let holder: JsonValue = object;
  for (const [i, step] of at.slice(0, -1).entries()) {
    let next: JsonValue | undefined = valueAt(holder, step);
    if (typeof next !== "object" || next === null) {
      if (value === undefined) return;
      setAt(holder, step, typeof at[i + 1] === "number" ? [] : {});
      next = valueAt(holder, step)!;
    }
    holder = next;
  }
  setAt(holder, at.at(-1) ?? "", value);
}

export function valueAtPath(object: JsonValue, path: readonly PathStep[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = valueAt(value, step);
  }
  return value;
}

function valueAt(holder: JsonValue, step: PathStep): JsonValue | undefined {
  if (Array.isArray(holder)) return typeof step === "number" ? holder[step] : undefined;
  return typeof holder === "object" && holder !== null ? ownKey(holder, String(step)) : undefined;
}

function setAt(holder: JsonValue, step: PathStep, value: JsonValue | undefined): void {
  if (Array.isArray(holder)) {
    const index = Number(step);
    if (value === undefined) holder.splice(index, 1);
    else holder[index] = cloneJson(value);
  } else if (typeof holder === "object" && holder !== null) {
    if (value === undefined) delete holder[String(step)];
    else setOwnKey(holder, String(step), cloneJson(value));
  }
}

/** `spec.containers[0].name`, `metadata.labels["a.b/c"]` */
export function printPath(path: readonly PathStep[]): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (!/^[A-Za-z_$][\w$-]*$/.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}

export function parsePath(text: string): PathStep[] {
  const steps: PathStep[] = [];
  for (const [, quoted, index, word] of text.matchAll(
    /\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\]|([A-Za-z_$][\w$-]*)/g,
  )) {
    if (quoted !== undefined) steps.push(JSON.parse(quoted) as string);
    else if (index !== undefined) steps.push(Number(index));
    else if (word !== undefined) steps.push(word);
  }
  return steps;
}
