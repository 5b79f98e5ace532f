/** The parts of a decoded `openAPIV3Schema`, and what of it no custom resource may use. */
import { ownKey } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";

type Source = Readonly<JSONSchemaProps>;

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

/** Every schema inside this one, directly. */
export function* schemasIn(schema: Source): Generator<JSONSchemaProps> {
  const { items } = schema;
  if (Array.isArray(items)) yield* items;
  else if (items != null) yield items;
  yield* schema.allOf ?? [];
  yield* schema.anyOf ?? [];
  yield* schema.oneOf ?? [];
  if (schema.not != null) yield schema.not;
  yield* Object.values(schema.properties ?? {});
  const additional = additionalOf(schema);
  if (additional !== undefined) yield additional;
  yield* Object.values(schema.patternProperties ?? {});
  if (typeof schema.additionalItems === "object") yield schema.additionalItems;
  yield* Object.values(schema.definitions ?? {});
  for (const dependency of Object.values(schema.dependencies ?? {})) {
    if (!Array.isArray(dependency)) yield dependency;
  }
}

/** Whether the schema or one inside it, at any depth, is so. */
export function someSchema(
  schema: Source,
  condition: (schema: JSONSchemaProps) => boolean,
): boolean {
  const pending: JSONSchemaProps[] = [schema as JSONSchemaProps];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (condition(next)) return true;
    pending.push(...schemasIn(next));
  }
  return false;
}

/** The first thing that keeps the schema from being read as a structural one at all. */
export function unreadable(schema: Source): string | undefined {
  const unsupported = UNSUPPORTED.find(({ isUsed }) => isUsed(schema));
  if (unsupported !== undefined) return `OpenAPIV3Schema '${unsupported.name}' is not supported`;
  const conditions = [
    schema.not,
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ];
  for (const nested of conditions) {
    const problem = nested && unreadable(nested);
    if (problem !== undefined) return problem;
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  const children = [
    itemsOf(schema),
    ...Object.values(schema.properties ?? {}),
    additionalOf(schema),
  ];
  for (const child of children) {
    const problem = child && unreadable(child);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const hasKeys = (value: object | undefined): boolean => Object.keys(value ?? {}).length > 0;

const UNSUPPORTED: readonly { name: string; isUsed: (schema: Source) => boolean }[] = [
  { name: "id", isUsed: ({ id }) => Boolean(id) },
  { name: "schema", isUsed: ({ $schema }) => Boolean($schema) },
  { name: "$ref", isUsed: ({ $ref }) => Boolean($ref) },
  { name: "patternProperties", isUsed: ({ patternProperties }) => hasKeys(patternProperties) },
  { name: "dependencies", isUsed: ({ dependencies }) => hasKeys(dependencies) },
  { name: "additionalItems", isUsed: ({ additionalItems }) => additionalItems !== undefined },
  { name: "definitions", isUsed: ({ definitions }) => hasKeys(definitions) },
];
