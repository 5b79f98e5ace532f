/**
 * What kube-apiserver's way through its internal types leaves on objects, as their managers see it
 * before anything is stored.
 */
import {
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  ownKey,
  setOwnKey,
} from "@homeostat/object-model";

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

/** A daemon set has a number of its template, if only 0. The object of which nothing is set has not. */
export function withTemplateGeneration(object: JsonObject): JsonObject {
  const { metadata } = object as KubernetesObject;
  if (!metadata?.name && !metadata?.generateName) return object;
  if (ownKey(metadata.annotations, TEMPLATE_GENERATION) !== undefined) return object;
  const annotations: Record<string, string> = { ...metadata.annotations };
  setOwnKey(annotations, TEMPLATE_GENERATION, "0");
  return { ...object, metadata: { ...metadata, annotations } as unknown as JsonValue };
}

/**
 * Lists that are printed even when empty are null once they are stored; as a client sends them they
 * are empty lists. Those of the object itself, its spec and its status, the only ones that may be empty.
 */
export function keepEmptyLists(printed: JsonObject, given: JsonObject): JsonObject {
  return keepInPart(keepInPart(keepIn(printed, given), given, "spec"), given, "status");
}

function keepInPart(object: JsonObject, given: JsonObject, name: "spec" | "status"): JsonObject {
  const part = object[name];
  const givenPart = given[name];
  if (!isObject(part) || !isObject(givenPart)) return object;
  const kept = keepIn(part, givenPart);
  return kept === part ? object : { ...object, [name]: kept };
}

function keepIn(printed: JsonObject, given: JsonObject): JsonObject {
  let kept = printed;
  for (const key in printed) {
    if (printed[key] !== null) continue;
    const value = ownKey(given, key);
    if (!Array.isArray(value)) continue;
    kept = kept === printed ? { ...printed } : kept;
    kept[key] = value;
  }
  return kept;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
