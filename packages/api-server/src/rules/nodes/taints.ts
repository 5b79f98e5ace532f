/** Taints of a node, in its spec and in an annotation of old. */
import { checkLabelValue, decodeJson, FieldError, JsonError } from "@homeostat/object-model";
import type { Taint } from "@homeostat/object-model/core-v1";
import { each, type Place, type Rule } from "@homeostat/schema";
import { internalForm } from "../../resources/internal-form.ts";
import { choice } from "../checks/choices.ts";
import { labelKey } from "../checks/label-selectors.ts";

const effectRule = choice("NoSchedule", "PreferNoSchedule", "NoExecute");

/** Each key once per effect. */
export const nodeTaints: Rule<readonly Taint[]> = (taints, place) => {
  const seen = new Set<string>();
  each<Taint>((taint, at) => {
    const { key = "", value = "", effect = "" } = taint ?? {};
    labelKey(key, at.child("key"));
    const problems = checkLabelValue(value);
    if (problems.length > 0) at.child("value").invalid(value, problems.join(";"));
    effectRule(effect, at.child("effect"));
    const pair = `${effect} ${key}`;
    if (seen.has(pair) && at.path !== undefined) {
      const why = "taints must be unique by key and effect pair";
      at.add(FieldError.duplicate(at.path, internalForm("Taint", taint), why));
    }
    seen.add(pair);
  })(taints, place);
};

/** The text of the annotation, which is named by its key. */
export function annotatedTaints(key: string, text: string, place: Place): void {
  const list = readTaints(text);
  if (typeof list === "string") place.invalid(key, list);
  else nodeTaints(list, place.child(key));
}

/** Pods that a node would rather not have, by what controls them. */
export function avoidedPods(key: string, text: string, place: Place): void {
  const read = readJson(text);
  const wrong = "problem" in read ? read.problem : kindProblem(read.value, "v1.AvoidPods");
  if (wrong !== undefined) {
    place.child("AvoidPods").invalid(key, wrong);
    return;
  }
  const entries = "value" in read ? memberOf(read.value, "preferAvoidPods") : undefined;
  for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    const at = place.child(key).index(index).child("PodSignature");
    const controller = memberOf(memberOf(entry, "podSignature"), "podController");
    if (controller == null) at.required();
    else if (memberOf(controller, "controller") !== true) {
      at.child("PodController").child("Controller").invalid(false, "must point to a controller");
    }
  }
}

/** Names are found in any case, as Go finds them. Or what Go says of the text. */
function readTaints(text: string): readonly Taint[] | string {
  const read = readJson(text);
  if ("problem" in read) return read.problem;
  const { value } = read;
  if (value === null) return [];
  if (!Array.isArray(value)) return cannotRead(value, "[]core.Taint");
  const taints: Taint[] = [];
  for (const item of value as readonly unknown[]) {
    const problem = kindProblem(item, "core.Taint") ?? fieldProblem(item);
    if (problem !== undefined) return problem;
    taints.push({
      key: textOf(item, "key"),
      value: textOf(item, "value"),
      effect: textOf(item, "effect"),
    });
  }
  return taints;
}

function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: decodeJson(text) };
  } catch (error) {
    if (error instanceof JsonError) return { problem: error.reason };
    throw error;
  }
}

/** For what has to be an object, or nothing. */
function kindProblem(value: unknown, type: string): string | undefined {
  const isObject = typeof value === "object" && !Array.isArray(value);
  return isObject ? undefined : cannotRead(value, type);
}

function fieldProblem(taint: unknown): string | undefined {
  for (const name of ["Key", "Value", "Effect"]) {
    const value = memberOf(taint, name.toLowerCase());
    if (value == null || typeof value === "string") continue;
    const type = name === "Effect" ? "core.TaintEffect" : "string";
    return `json: cannot unmarshal ${goKind(value)} into Go struct field Taint.${name} of type ${type}`;
  }
  return undefined;
}

function cannotRead(value: unknown, type: string): string {
  return `json: cannot unmarshal ${goKind(value)} into Go value of type ${type}`;
}

function textOf(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return typeof member === "string" ? member : "";
}

/** By its name in any case. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const lower = name.toLowerCase();
  return Object.entries(value).find(([key]) => key.toLowerCase() === lower)?.[1];
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
