import type { JsonObject, JsonValue } from "@homeostat/object-model";

/**
 * What a document says, whatever its words: no descriptions of built-in types, a reference that stands
 * alone, the parameters of OpenAPI 2 where they are used, and lists without an order in one.
 */
export function normalize(document: JsonValue): JsonValue {
  const parameters = isObject(document) ? document["parameters"] : undefined;
  return walk(document, isObject(parameters) ? parameters : {});
}

/** Lists whose order means nothing. */
const SETS: ReadonlySet<string> = new Set(["consumes", "produces", "parameters", "verbs"]);

function walk(value: JsonValue, parameters: JsonObject, key = ""): JsonValue {
  if (Array.isArray(value)) {
    const items = value.map((each) => walk(each, parameters));
    return SETS.has(key) ? items.sort((a, b) => (text(a) < text(b) ? -1 : 1)) : items;
  }
  if (!isObject(value)) return value;
  const { $ref } = value;
  if (typeof $ref === "string" && $ref.startsWith("#/parameters/")) {
    return walk(parameters[$ref.slice("#/parameters/".length)]!, parameters);
  }
  const entries = Object.entries(value)
    .filter(([name, each]) => !(name === "description" && typeof each === "string"))
    // They are compared where they are used.
    .filter(([name, each]) => !(name === "parameters" && isObject(each) && "swagger" in value))
    .map(([name, each]): [string, JsonValue] => [name, walk(each, parameters, name)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return alone(Object.fromEntries(entries));
}

/** OpenAPI 3 wraps a reference that has something beside it, be it a description. */
function alone(object: JsonObject): JsonObject {
  const { allOf, ...rest } = object;
  if (!Array.isArray(allOf) || allOf.length !== 1) return object;
  const [only] = allOf;
  return isObject(only) && typeof only["$ref"] === "string" ? { ...rest, ...only } : object;
}

/** Whatever order the keys came in. */
export function text(value: JsonValue): string {
  return JSON.stringify(value);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
