/** What a built-in type looks like, as OpenAPI says it. Of prose there is none but for metadata. */
import {
  type JsonObject,
  type JsonValue,
  type ObjectSchema,
  type ScalarType,
  type SchemaField,
  type SchemaUnion,
  schemaOf,
} from "@homeostat/object-model";
import { enumOf } from "./builtin-enums.ts";
import { proseOf } from "./metadata-prose.ts";

/** The group-versions that a kind of every group-version is said to be of, as `["apps", "v1"]`. */
export type KindVersions = readonly (readonly [group: string, version: string])[];

export interface MessageContext {
  /** A reference to another message. */
  readonly refer: (message: string) => JsonObject;
  readonly versions: KindVersions;
}

const SCALARS: Readonly<Record<ScalarType, JsonObject>> = {
  bool: { type: "boolean" },
  bytes: { type: "string", format: "byte" },
  double: { type: "number", format: "double" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  string: { type: "string" },
};

const ZEROS: Readonly<Partial<Record<ScalarType, JsonValue>>> = {
  bool: false,
  double: 0,
  int32: 0,
  int64: 0,
  string: "",
};

const FORMS: Readonly<Record<Exclude<ObjectSchema["form"], "object">, JsonObject>> = {
  any: {},
  "any-object": { type: "object" },
  duration: { type: "string" },
  "int-or-string": { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  "micro-time": { type: "string", format: "date-time" },
  quantity: { oneOf: [{ type: "string" }, { type: "number" }] },
  "schema-or-bool": {},
  "schema-or-list": {},
  "schema-or-strings": {},
  "string-list": { type: "array", items: { type: "string", default: "" } },
  time: { type: "string", format: "date-time" },
};

export function schemaOfMessage(schema: ObjectSchema, context: MessageContext): JsonObject {
  if (schema.form !== "object") return { ...FORMS[schema.form] };
  const fields = [...schema.fields.values()];
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const properties = fields
    .map((field) => (PLAIN_VALUES.has(schema.name) ? withPlainValues(field) : field))
    .map((field): [string, JsonObject] => [
      field.name,
      describedProperty(schema.name, field, context),
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    type: "object",
    ...(required.length > 0 ? { required } : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...kindsOf(schema, context.versions),
    ...(schema.mapType === undefined ? {} : { "x-kubernetes-map-type": schema.mapType }),
    ...(schema.unions.length > 0
      ? { "x-kubernetes-unions": schema.unions.map((union) => unionOf(union)) }
      : {}),
  };
}

/** The schemas of these say neither defaults nor kinds of lists, which all are the same. */
const PLAIN_VALUES: ReadonlySet<string> = new Set(
  [
    "APIGroup",
    "APIGroupList",
    "APIVersions",
    "GroupVersionForDiscovery",
    "ServerAddressByClientCIDR",
  ].map((kind) => `meta.v1.${kind}`),
);

function withPlainValues(field: SchemaField): SchemaField {
  if (field.shape === "list") return { ...field, listType: field.listType ?? "atomic" };
  if (field.schema !== undefined) return { ...field, default: {} };
  return field.required ? { ...field, default: "" } : field;
}

function describedProperty(owner: string, field: SchemaField, context: MessageContext): JsonObject {
  const description = proseOf(owner, field.name);
  const property = propertyOf(owner, field, context);
  return description === undefined ? property : { description, ...property };
}

function propertyOf(owner: string, field: SchemaField, context: MessageContext): JsonObject {
  const element = elementOf(field, context);
  const values = enumOf(owner, field.name);
  const constraint: JsonObject = values === undefined ? {} : { enum: [...values] };
  const fallback: JsonObject = field.default === undefined ? {} : { default: field.default };
  switch (field.shape) {
    case "single": {
      const typed = field.schema === undefined || isInline(field.schema);
      const one = typed ? element : { allOf: [element] };
      return { ...fallback, ...one, ...constraint, ...extensionsOf(field) };
    }
    case "list": {
      const items = { ...withZero(field, element), ...constraint };
      return { type: "array", items, ...extensionsOf(field) };
    }
    case "map": {
      const additionalProperties = { ...withZero(field, element), ...constraint };
      return { type: "object", additionalProperties, ...extensionsOf(field) };
    }
  }
}

function elementOf({ scalar, schema }: SchemaField, context: MessageContext): JsonObject {
  if (scalar !== undefined) return SCALARS[scalar];
  if (isInline(schema!)) return FORMS["string-list"];
  return context.refer(schema!);
}

/** A type that is only a name for a list stands where it is used. */
function isInline(schema: string): boolean {
  return schemaOf(schema).form === "string-list";
}

/** What an element is that says nothing, where Go has a value and not a pointer. */
function withZero({ scalar, schema }: SchemaField, element: JsonObject): JsonObject {
  if (scalar !== undefined) {
    const zero = ZEROS[scalar];
    return zero === undefined ? element : { ...element, default: zero };
  }
  if (schemaOf(schema!).form !== "object") return element;
  return { default: {}, allOf: [element] };
}

function extensionsOf(field: SchemaField): JsonObject {
  const { listMapKeys, listType, mapType, patchMergeKey, patchStrategies } = field;
  return {
    ...(listMapKeys === undefined ? {} : { "x-kubernetes-list-map-keys": [...listMapKeys] }),
    ...(listType === undefined ? {} : { "x-kubernetes-list-type": listType }),
    ...(mapType === undefined ? {} : { "x-kubernetes-map-type": mapType }),
    ...(patchMergeKey === undefined ? {} : { "x-kubernetes-patch-merge-key": patchMergeKey }),
    ...(patchStrategies === undefined
      ? {}
      : { "x-kubernetes-patch-strategy": patchStrategies.join(",") }),
  };
}

function unionOf({ discriminator, fields }: SchemaUnion): JsonObject {
  return {
    ...(discriminator === undefined ? {} : { discriminator }),
    "fields-to-discriminateBy": Object.fromEntries(fields),
  };
}

/** A kind that exists in every group-version: options of requests, and what watches send. */
export function isOfManyVersions({ name, isKind, onlyApiVersion }: ObjectSchema): boolean {
  return name === "meta.v1.WatchEvent" || (isKind && onlyApiVersion === undefined);
}

function kindsOf(schema: ObjectSchema, versions: KindVersions): JsonObject {
  const { onlyApiVersion } = schema;
  const isMany = isOfManyVersions(schema);
  if (!isMany && !schema.isKind) return {};
  const kind = schema.name.slice(schema.name.lastIndexOf(".") + 1);
  const where = isMany ? versions : [splitApiVersion(onlyApiVersion!)];
  return {
    "x-kubernetes-group-version-kind": where.map(([group, version]) => ({ group, kind, version })),
  };
}

function splitApiVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
