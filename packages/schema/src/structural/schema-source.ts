/** The parts of a decoded `openAPIV3Schema`, and what of it no custom resource may use. */
import { ownKey } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";

type Source = Readonly<JSONSchemaProps>;

/** A number of the schema as a number: integers that no number holds exactly are decoded to bigints. */
export function limitOf(limit: bigint | number | undefined): number | undefined {
  return limit == null ? undefined : Number(limit);
}

/** Undefined also where a list of schemas stands. */
export function itemsOf({ items }: Source): JSONSchemaProps | undefined {
  return items == null || Array.isArray(items) ? undefined : items;
}

export function propertyOf({ properties }: Source, name: string): JSONSchemaProps | undefined {
  return ownKey(properties, name);
}

/** Undefined also where true or false stands. */
export function additionalOf({ additionalProperties }: Source): JSONSchemaProps | undefined {
  return typeof additionalProperties === "object" && additionalProperties !== null
    ? additionalProperties
    : undefined;
}

/** Whether the schema or one inside it, at any depth and wherever it stands, is so. */
export function someSchema(
  schema: Source,
  condition: (schema: JSONSchemaProps) => boolean,
): boolean {
  const pending: JSONSchemaProps[] = [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (condition(next)) return true;
    addSchemasIn(next, pending);
  }
  return false;
}

/** Large definitions have thousands of schemas with few keywords each: only those are looked at. */
function addSchemasIn(schema: Source, target: JSONSchemaProps[]): void {
  for (const keyword of Object.keys(schema)) {
    switch (keyword) {
      case "properties":
      case "patternProperties":
      case "definitions":
        for (const each of Object.values(schema[keyword] ?? {})) target.push(each);
        break;
      case "allOf":
      case "anyOf":
      case "oneOf":
        for (const each of schema[keyword] ?? []) target.push(each);
        break;
      case "items":
      case "not":
      case "additionalProperties":
      case "additionalItems":
        addSchema(schema[keyword], target);
        break;
      case "dependencies":
        for (const dependency of Object.values(schema.dependencies ?? {})) {
          if (!Array.isArray(dependency)) target.push(dependency);
        }
        break;
      default:
    }
  }
}

function addSchema(
  value: JSONSchemaProps | JSONSchemaProps[] | boolean | undefined,
  target: JSONSchemaProps[],
): void {
  if (Array.isArray(value)) for (const each of value) target.push(each);
  else if (typeof value === "object" && value !== null) target.push(value);
}

/** Something that keeps the schema from being read as a structural one at all. */
export function unreadable(schema: Source): string | undefined {
  let problem: string | undefined;
  someSchema(schema, (each) => {
    problem = problemOf(each);
    return problem !== undefined;
  });
  return problem;
}

function problemOf(schema: Source): string | undefined {
  for (const keyword of Object.keys(schema)) {
    const unsupported = UNSUPPORTED.get(keyword);
    if (unsupported !== undefined && isUsed(schema[keyword as keyof JSONSchemaProps])) {
      return `OpenAPIV3Schema '${unsupported}' is not supported`;
    }
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  return undefined;
}

/** By what kube-apiserver calls them. */
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ["id", "id"],
  ["$schema", "schema"],
  ["$ref", "$ref"],
  ["patternProperties", "patternProperties"],
  ["dependencies", "dependencies"],
  ["additionalItems", "additionalItems"],
  ["definitions", "definitions"],
]);

function isUsed(value: unknown): boolean {
  if (typeof value === "boolean") return true;
  if (typeof value !== "object" || value === null) return Boolean(value);
  return Object.keys(value).length > 0;
}
