/**
 * Parts of a definition as kube-apiserver prints them in messages: by the names of its internal
 * types, every field, null where nothing is.
 */
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import { setOwnKey } from "@homeostat/object-model";
import type {
  JSONSchemaProps,
  JSONSchemaPropsOrArray,
  ValidationRule,
} from "@homeostat/object-model/apiextensions-v1";
import { sortKeys } from "@homeostat/schema";
import type { VersionForm } from "./definition-form.ts";

export function internalVersions(versions: readonly VersionForm[]): JsonValue {
  return versions.map(({ own, ...version }) => ({
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema:
      own.schema === undefined
        ? null
        : { OpenAPIV3Schema: schemaOrNull(own.schema.openAPIV3Schema) },
    Subresources:
      own.subresources === undefined
        ? null
        : {
            Status: own.subresources.status === undefined ? null : {},
            Scale:
              own.subresources.scale === undefined
                ? null
                : {
                    SpecReplicasPath: own.subresources.scale.specReplicasPath ?? "",
                    StatusReplicasPath: own.subresources.scale.statusReplicasPath ?? "",
                    LabelSelectorPath: own.subresources.scale.labelSelectorPath ?? null,
                  },
          },
    AdditionalPrinterColumns:
      own.additionalPrinterColumns?.map((column) => ({
        Name: column.name ?? "",
        Type: column.type ?? "",
        Format: column.format ?? "",
        Description: column.description ?? "",
        Priority: column.priority ?? 0,
        JSONPath: column.jsonPath ?? "",
      })) ?? null,
    SelectableFields:
      own.selectableFields?.map(({ jsonPath }) => ({ JSONPath: jsonPath ?? "" })) ?? null,
  }));
}

export function internalRule(rule: Readonly<Partial<ValidationRule>>): JsonObject {
  return {
    Rule: rule.rule ?? "",
    Message: rule.message ?? "",
    MessageExpression: rule.messageExpression ?? "",
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? "",
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

export function internalItems(items: JSONSchemaPropsOrArray): JsonValue {
  return Array.isArray(items)
    ? { Schema: null, JSONSchemas: items.map(internalSchema) }
    : { Schema: internalSchema(items), JSONSchemas: null };
}

/** The kinds of fields by what stands for an absent one. */
const FIELDS: readonly (readonly [name: string, key: keyof JSONSchemaProps, kind: FieldKind])[] = [
  ["ID", "id", "text"],
  ["Schema", "$schema", "text"],
  ["Ref", "$ref", "pointer"],
  ["Description", "description", "text"],
  ["Type", "type", "text"],
  ["Nullable", "nullable", "flag"],
  ["Format", "format", "text"],
  ["Title", "title", "text"],
  ["Default", "default", "pointer"],
  ["Maximum", "maximum", "pointer"],
  ["ExclusiveMaximum", "exclusiveMaximum", "flag"],
  ["Minimum", "minimum", "pointer"],
  ["ExclusiveMinimum", "exclusiveMinimum", "flag"],
  ["MaxLength", "maxLength", "pointer"],
  ["MinLength", "minLength", "pointer"],
  ["Pattern", "pattern", "text"],
  ["MaxItems", "maxItems", "pointer"],
  ["MinItems", "minItems", "pointer"],
  ["UniqueItems", "uniqueItems", "flag"],
  ["MultipleOf", "multipleOf", "pointer"],
  ["Enum", "enum", "pointer"],
  ["MaxProperties", "maxProperties", "pointer"],
  ["MinProperties", "minProperties", "pointer"],
  ["Required", "required", "pointer"],
  ["Items", "items", "items"],
  ["AllOf", "allOf", "schemas"],
  ["OneOf", "oneOf", "schemas"],
  ["AnyOf", "anyOf", "schemas"],
  ["Not", "not", "schema"],
  ["Properties", "properties", "map"],
  ["AdditionalProperties", "additionalProperties", "schema-or-bool"],
  ["PatternProperties", "patternProperties", "map"],
  ["Dependencies", "dependencies", "dependencies"],
  ["AdditionalItems", "additionalItems", "schema-or-bool"],
  ["Definitions", "definitions", "map"],
  ["ExternalDocs", "externalDocs", "documentation"],
  ["Example", "example", "pointer"],
  ["XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", "pointer"],
  ["XEmbeddedResource", "x-kubernetes-embedded-resource", "flag"],
  ["XIntOrString", "x-kubernetes-int-or-string", "flag"],
  ["XListMapKeys", "x-kubernetes-list-map-keys", "pointer"],
  ["XListType", "x-kubernetes-list-type", "pointer"],
  ["XMapType", "x-kubernetes-map-type", "pointer"],
  ["XValidations", "x-kubernetes-validations", "rules"],
];

type FieldKind =
  | "dependencies"
  | "documentation"
  | "flag"
  | "items"
  | "map"
  | "pointer"
  | "rules"
  | "schema"
  | "schema-or-bool"
  | "schemas"
  | "text";

export function internalSchema(schema: Readonly<JSONSchemaProps>): JsonObject {
  const form: JsonObject = {};
  for (const [name, key, kind] of FIELDS) form[name] = internalField(kind, schema[key]);
  return form;
}

/** The internal names of the keywords that are used, in the order of the type. */
export function usedKeywords(schema: Readonly<JSONSchemaProps>): string[] {
  return FIELDS.filter(([, key, kind]) => {
    const value = schema[key];
    if (kind === "text") return Boolean(value);
    return kind === "flag" ? value === true : value !== undefined && value !== null;
  }).map(([name]) => name);
}

function schemaOrNull(schema: Readonly<JSONSchemaProps> | undefined): JsonValue {
  return schema === undefined ? null : internalSchema(schema);
}

function internalField(kind: FieldKind, value: unknown): JsonValue {
  if (value === undefined || value === null)
    return kind === "text" ? "" : kind === "flag" ? false : null;
  switch (kind) {
    case "text":
    case "flag":
    case "pointer":
      return sortKeys(value as JsonValue);
    case "items":
      return internalItems(value);
    case "schema":
      return internalSchema(value);
    case "schemas":
      return (value as JSONSchemaProps[]).map(internalSchema);
    case "rules":
      return (value as ValidationRule[]).map(internalRule);
    case "map":
      return mapped(value as Record<string, JSONSchemaProps>, internalSchema);
    case "schema-or-bool":
      return typeof value === "boolean"
        ? { Allows: value, Schema: null }
        : { Allows: true, Schema: internalSchema(value) };
    case "dependencies":
      return mapped(value as Record<string, JSONSchemaProps | string[]>, (each) =>
        Array.isArray(each)
          ? { Schema: null, Property: each }
          : { Schema: internalSchema(each), Property: null },
      );
    case "documentation": {
      const { description = "", url = "" } = value as { description?: string; url?: string };
      return { Description: description, URL: url };
    }
  }
}

function mapped<T>(
  values: Readonly<Record<string, T>>,
  print: (value: T) => JsonValue,
): JsonObject {
  const form: JsonObject = {};
  for (const key of Object.keys(values).sort()) setOwnKey(form, key, print(values[key]!));
  return form;
}
