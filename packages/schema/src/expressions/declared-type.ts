/**
 * What the checker of expressions and the estimate of their cost know of values: their CEL type, how
 * long they may be, and how short they can be written. Lengths that a schema does not bound are
 * bounded by the size of a request: so many items of the smallest size fit into it.
 */
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  escapeName,
  INT,
  type ListMerge,
  listOf,
  mapOf,
  type ObjectTypeField,
  STRING,
  TIMESTAMP,
  type Type,
} from "@homeostat/cel";
import type { JsonValue } from "@homeostat/object-model";
import { limitOf } from "../structural/schema-source.ts";
import { parseStructuralSchema, type StructuralSchema } from "../structural/structural-schema.ts";

export interface DeclaredType {
  readonly type: Type;
  /** Of a text (bytes), list or map; 0 where it has no length. */
  readonly maxElements: number;
  /** In bytes of JSON. */
  readonly minSize: number;
  /** Of a list or map. */
  readonly element?: DeclaredType;
  /** Of an object, by the names that expressions use. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
}

/** Bytes of JSON that a request may have. */
export const MAX_REQUEST_SIZE: number = 3 * 1024 * 1024;

const MAX_TEXT = MAX_REQUEST_SIZE - 2;

/**
 * Undefined where values have no type that expressions could use: then they cannot be selected.
 * `isResource`: apiVersion, kind and the names in metadata can be used though nothing declares them.
 */
export function declaredType(
  schema: StructuralSchema,
  isResource: boolean,
  name = "selfType",
): DeclaredType | undefined {
  if (schema.isIntOrString) return simple(DYN, 1, maxTextOf(schema, MAX_TEXT));
  switch (schema.type) {
    case "array":
      return declaredList(schema, name);
    case "object":
      if (schema.additionalSchema !== undefined) return declaredMap(schema, name);
      return declaredObject(schema, isResource, name);
    case "string":
      return declaredText(schema);
    case "boolean":
      return simple(BOOL, 4, 0);
    case "number":
      return simple(DOUBLE, 1, 0);
    case "integer":
      return simple(INT, 1, 0);
    default:
      return undefined;
  }
}

function simple(type: Type, minSize: number, maxElements: number): DeclaredType {
  return { type, minSize, maxElements };
}

function declaredList(schema: StructuralSchema, name: string): DeclaredType | undefined {
  const { items } = schema;
  if (items === undefined) return undefined;
  const element = declaredType(items, items.isEmbeddedResource, `${name}.@idx`);
  if (element === undefined) return undefined;
  const maxElements =
    bounded(schema.source.maxItems) ?? Math.floor(MAX_TEXT / (element.minSize + 1));
  return { type: listOf(element.type, mergeOf(schema)), minSize: 2, maxElements, element };
}

function mergeOf({ listType, listMapKeys }: StructuralSchema): ListMerge | undefined {
  if (listType === "set") return { kind: "set" };
  return listType === "map" ? { kind: "map", keys: listMapKeys } : undefined;
}

function declaredMap(schema: StructuralSchema, name: string): DeclaredType | undefined {
  const values = schema.additionalSchema!;
  const element = declaredType(values, values.isEmbeddedResource, `${name}.@elem`);
  if (element === undefined) return undefined;
  // Quotes of an empty key, colon, comma and one more byte or two.
  const perEntry = element.minSize + 6;
  const maxElements = bounded(schema.source.maxProperties) ?? Math.floor(MAX_TEXT / perEntry);
  return { type: mapOf(STRING, element.type), minSize: 2, maxElements, element };
}

function declaredObject(schema: StructuralSchema, isResource: boolean, name: string): DeclaredType {
  const required = new Set(schema.source.required);
  const fields = new Map<string, DeclaredType>();
  const types = new Map<string, ObjectTypeField>();
  let minSize = 2;
  for (const [jsonName, property] of propertiesOf(schema, isResource)) {
    const escaped = escapeName(jsonName);
    const field = declaredType(property, property.isEmbeddedResource, `${name}.${escaped ?? ""}`);
    if (field === undefined) continue;
    if (escaped !== undefined) {
      fields.set(escaped, field);
      types.set(escaped, { type: field.type, jsonName });
    }
    if (required.has(jsonName) && property.defaultValue === undefined) {
      minSize += utf8Length(jsonName) + field.minSize + 4;
    }
  }
  const type: Type = { kind: "object", name, fields: types };
  return { type, minSize, maxElements: 0, fields };
}

function propertiesOf(
  schema: StructuralSchema,
  isResource: boolean,
): Iterable<[string, StructuralSchema]> {
  return isResource ? new Map([...schema.properties, ...RESOURCE.properties]) : schema.properties;
}

const RESOURCE: StructuralSchema = parseStructuralSchema({
  type: "object",
  properties: {
    kind: { type: "string" },
    apiVersion: { type: "string" },
    metadata: {
      type: "object",
      properties: { name: { type: "string" }, generateName: { type: "string" } },
    },
  },
});

function declaredText(schema: StructuralSchema): DeclaredType {
  switch (schema.source.format) {
    case "byte":
      return simple(BYTES, 2, bounded(schema.source.maxLength) ?? MAX_TEXT);
    case "duration":
      return simple(DURATION, 3, 32);
    case "date":
      return simple(TIMESTAMP, 12, 12);
    case "date-time":
      return simple(TIMESTAMP, 21, 32);
    default:
      return simple(STRING, 2, maxTextOf(schema, longestOf(schema) ?? MAX_TEXT));
  }
}

/** A character may have four bytes. */
function maxTextOf(schema: StructuralSchema, otherwise: number): number {
  const maxLength = bounded(schema.source.maxLength);
  return maxLength === undefined ? otherwise : maxLength * 4;
}

/** The length of the longest text of an enumeration. */
function longestOf(schema: StructuralSchema): number | undefined {
  const known = schema.source.enum as readonly JsonValue[] | undefined;
  if (known === undefined || known.length === 0) return undefined;
  return Math.max(0, ...known.map((each) => (typeof each === "string" ? utf8Length(each) : 0)));
}

function bounded(limit: number | undefined): number | undefined {
  const number = limitOf(limit);
  return number === undefined ? undefined : Math.max(0, number);
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
