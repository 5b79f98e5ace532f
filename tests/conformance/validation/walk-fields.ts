/** Every field that a schema allows where an object is, whether the object has it or not. */
import {
  type JsonObject,
  type JsonValue,
  ownKey,
  type ScalarType,
  type SchemaField,
  schemaOf,
} from "@homeostat/object-model";
import type { PathStep } from "./probe.ts";

export interface FieldSite {
  readonly path: readonly PathStep[];
  /** Undefined: the object lacks it. */
  readonly value: JsonValue | undefined;
  /** Of the field, or of the list or map whose element this is. */
  readonly field: SchemaField;
  readonly shape: "list" | "map" | "object" | "scalar";
  readonly scalar: ScalarType | undefined;
  /** Where it is no plain scalar: `quantity`, `time`. */
  readonly form: string | undefined;
}

/** Of metadata inside objects only these mean anything. */
const innerMetadata = new Set(["annotations", "generateName", "labels", "name", "namespace"]);

export function* walkFields(
  object: JsonObject,
  schemaName: string,
  path: readonly PathStep[] = [],
): Generator<FieldSite> {
  const schema = schemaOf(schemaName);
  for (const field of schema.fields.values()) {
    if (path.length === 0 && (field.name === "kind" || field.name === "apiVersion")) continue;
    const isInner = path.length > 1 && schemaName === "meta.v1.ObjectMeta";
    if (isInner && !innerMetadata.has(field.name)) continue;
    const value = ownKey(object, field.name);
    yield* walkField(field, [...path, field.name], value);
  }
}

function* walkField(
  field: SchemaField,
  path: readonly PathStep[],
  value: JsonValue | undefined,
): Generator<FieldSite> {
  const element = { field, ...typeOf(field) };
  if (field.shape === "single") {
    yield { ...element, path, value };
    if (element.shape === "object" && isObject(value))
      yield* walkFields(value, field.schema!, path);
    return;
  }
  yield { ...element, path, value, shape: field.shape };
  if (typeof value !== "object" || value === null) return;
  const entries: [PathStep, JsonValue][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [step, each] of entries) {
    const below = [...path, step];
    if (element.shape === "scalar") yield { ...element, path: below, value: each };
    else if (isObject(each)) yield* walkFields(each, field.schema!, below);
  }
}

function typeOf(field: SchemaField): Pick<FieldSite, "form" | "scalar" | "shape"> {
  if (field.schema === undefined) return { shape: "scalar", scalar: field.scalar, form: undefined };
  const { form } = schemaOf(field.schema);
  if (form === "object") return { shape: "object", scalar: undefined, form: undefined };
  if (form === "schema-or-bool" || form === "schema-or-list" || form === "schema-or-strings") {
    return { shape: "scalar", scalar: undefined, form: "any" };
  }
  return { shape: "scalar", scalar: undefined, form };
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field that is a text; "" where it is none. */
export function textOf(object: JsonValue | undefined, key: string): string {
  const value = isObject(object) ? ownKey(object, key) : undefined;
  return typeof value === "string" ? value : "";
}
