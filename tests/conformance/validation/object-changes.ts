/**
 * What a server made of an object that it was sent, as a set of texts: `spec.replicas=1` where a
 * value is there or another one, `-spec.x` where it is gone. A list of another length is one value.
 */
import { cloneJson, type JsonObject, type JsonValue, ownKey } from "@homeostat/object-model";
import { applyEdits, parsePath, printPath } from "./edits.ts";
import type { Edit, PathStep } from "./probe.ts";
import { isObject } from "./walk-fields.ts";

export function changesBetween(from: JsonValue, to: JsonValue): string[] {
  const changes: string[] = [];
  collect({ from, to, path: [] }, changes);
  return changes;
}

interface Pair {
  readonly from: JsonValue | undefined;
  readonly to: JsonValue | undefined;
  readonly path: readonly PathStep[];
}

function collect({ from, to, path }: Pair, changes: string[]): void {
  if (isObject(from) && isObject(to)) {
    for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
      collect({ from: ownKey(from, key), to: ownKey(to, key), path: [...path, key] }, changes);
    }
    return;
  }
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    for (const [i, each] of from.entries()) {
      collect({ from: each, to: to[i], path: [...path, i] }, changes);
    }
    return;
  }
  if (to === undefined) changes.push(`-${printPath(path)}`);
  else if (JSON.stringify(from) !== JSON.stringify(to)) {
    changes.push(`${printPath(path)}=${JSON.stringify(to)}`);
  }
}

export function applyChanges(object: JsonObject, changes: readonly string[]): JsonObject {
  return applyEdits(cloneJson(object), changes.map(editOf));
}

function editOf(change: string): Edit {
  if (change.startsWith("-")) return { at: parsePath(change.slice(1)), value: undefined };
  const [, path = "", value = ""] = /^((?:\["(?:[^"\\]|\\.)*"\]|[^="])*)=(.*)$/s.exec(change)!;
  return { at: parsePath(path), value: JSON.parse(value) as JsonValue };
}

export function sameJson(left: JsonValue, right: JsonValue): boolean {
  return changesBetween(left, right).length === 0;
}
