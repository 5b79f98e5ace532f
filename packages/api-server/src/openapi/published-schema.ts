/**
 * The schema of a custom resource as documents show it: what its definition says, completed with what
 * every object has. OpenAPI 2 cannot say everything, and there less is shown rather than something
 * else.
 */
import { type JsonObject, type JsonValue, setOwnKey } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import {
  API_VERSION,
  EMBEDDED_API_VERSION,
  EMBEDDED_KIND,
  KIND,
  objectMetadata,
} from "./standard-fields.ts";

export interface PublishOptions {
  readonly openApi: 2 | 3;
  readonly objectMeta: JsonObject;
}

/** What is said as it is, where it says anything. */
const COPIED = [
  "type",
  "format",
  "title",
  "description",
  "default",
  "nullable",
  "example",
  "externalDocs",
  "enum",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "uniqueItems",
  "multipleOf",
  "maxProperties",
  "minProperties",
  "required",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
  "x-kubernetes-validations",
] as const satisfies readonly (keyof JSONSchemaProps)[];

/** The schema of the whole object. */
export function publishObjectSchema(
  props: JSONSchemaProps | undefined,
  options: PublishOptions,
): JsonObject {
  if (props === undefined) return { type: "object" };
  if (options.openApi === 2 && props["x-kubernetes-preserve-unknown-fields"] === true) {
    return { type: "object" };
  }
  const schema = publishSchema(props, options);
  withProperties(schema, {
    metadata: objectMetadata(allOf(options, options.objectMeta)),
    apiVersion: API_VERSION,
    kind: KIND,
  });
  return schema;
}

function publishSchema(props: JSONSchemaProps, options: PublishOptions): JsonObject {
  const schema = copyOf(props);
  if (options.openApi === 3) {
    addLogic(schema, unfold(props));
  }
  const { items, properties, additionalProperties } = props;
  const inner = (each: JSONSchemaProps): JsonObject => publishSchema(each, options);
  if (isSchema(items)) schema["items"] = inner(items);
  if (properties !== undefined) schema["properties"] = mapValues(properties, inner);
  if (typeof additionalProperties === "boolean") {
    schema["additionalProperties"] = additionalProperties;
  } else if (isSchema(additionalProperties)) {
    schema["additionalProperties"] = inner(additionalProperties);
  }
  if (options.openApi === 2) simplify(schema, props);
  if (props["x-kubernetes-embedded-resource"] === true) completeEmbedded(schema, options);
  return schema;
}

function copyOf(props: JSONSchemaProps): JsonObject {
  const schema: JsonObject = {};
  for (const key of COPIED) {
    const value = props[key] as JsonValue | undefined;
    const isEmpty =
      value === undefined ||
      value === null ||
      (key !== "default" && key !== "example" && isZero(value));
    if (!isEmpty) schema[key] = value;
  }
  return schema;
}

/** What Go leaves out; numbers are pointers there. */
function isZero(value: JsonValue): boolean {
  return value === "" || value === false || (Array.isArray(value) && value.length === 0);
}

/** An integer or a string: what the short form of it means. */
function unfold(props: JSONSchemaProps): JSONSchemaProps {
  if (props["x-kubernetes-int-or-string"] !== true) return props;
  const { anyOf, allOf: all } = props;
  if (isIntOrString(anyOf) || isIntOrString(all?.[0]?.anyOf)) return props;
  const both: JSONSchemaProps[] = [{ type: "integer" }, { type: "string" }];
  if (anyOf === undefined) return { ...props, anyOf: both };
  return { ...props, allOf: [{ anyOf: both }, ...(all ?? [])] };
}

function isIntOrString(anyOf: readonly JSONSchemaProps[] | undefined): boolean {
  return anyOf?.length === 2 && anyOf[0]?.type === "integer" && anyOf[1]?.type === "string";
}

function addLogic(schema: JsonObject, { allOf: all, anyOf, oneOf, not }: JSONSchemaProps): void {
  if (all !== undefined && all.length > 0) schema["allOf"] = all.map(nested);
  if (anyOf !== undefined && anyOf.length > 0) schema["anyOf"] = anyOf.map(nested);
  if (oneOf !== undefined && oneOf.length > 0) schema["oneOf"] = oneOf.map(nested);
  if (not !== undefined) schema["not"] = nested(not);
}

/** What is said under a condition adds no types. */
function nested(props: JSONSchemaProps): JsonObject {
  const schema = copyOf(props);
  addLogic(schema, props);
  if (isSchema(props.items)) schema["items"] = nested(props.items);
  if (props.properties !== undefined) schema["properties"] = mapValues(props.properties, nested);
  return schema;
}

/**
 * What OpenAPI 2 has no words for is left open: what may be null, and what keeps fields that nobody
 * described, has no type. Defaults are left out as well, as of every type there.
 */
function simplify(schema: JsonObject, props: JSONSchemaProps): void {
  delete schema["default"];
  const { nullable, properties = {}, additionalProperties } = props;
  if (nullable === true) {
    for (const key of ["type", "nullable", "items", "properties"]) delete schema[key];
  }
  if (props["x-kubernetes-preserve-unknown-fields"] === true) {
    delete schema["items"];
    delete schema["properties"];
    if (schema["type"] === "object") delete schema["type"];
  }
  if (schema["type"] === "array" && schema["items"] === undefined) delete schema["type"];
  const required = (props.required ?? []).filter(
    (name) => !(Object.hasOwn(properties, name) && properties[name]?.nullable === true),
  );
  const opensAll = isSchema(additionalProperties) && additionalProperties.nullable === true;
  if (required.length === 0 || opensAll) delete schema["required"];
  else schema["required"] = required;
}

function completeEmbedded(schema: JsonObject, options: PublishOptions): void {
  if (options.openApi === 2 && schema["x-kubernetes-preserve-unknown-fields"] === true) return;
  withProperties(schema, {
    apiVersion: EMBEDDED_API_VERSION,
    kind: EMBEDDED_KIND,
    metadata: objectMetadata(allOf(options, options.objectMeta)),
  });
  const required = (schema["required"] ?? []) as string[];
  const missing = ["kind", "apiVersion"].filter((name) => !required.includes(name));
  schema["required"] = [...required, ...missing];
}

/** OpenAPI 3 has nothing beside a reference. */
function allOf({ openApi }: PublishOptions, reference: JsonObject): JsonObject {
  return openApi === 2 ? reference : { allOf: [reference] };
}

function withProperties(schema: JsonObject, added: Readonly<Record<string, JsonObject>>): void {
  schema["properties"] = { ...((schema["properties"] ?? {}) as JsonObject), ...added };
}

function mapValues(
  map: Readonly<Record<string, JSONSchemaProps>>,
  change: (props: JSONSchemaProps) => JsonObject,
): JsonObject {
  const changed: JsonObject = {};
  for (const [key, value] of Object.entries(map)) setOwnKey(changed, key, change(value));
  return changed;
}

function isSchema(value: unknown): value is JSONSchemaProps {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
