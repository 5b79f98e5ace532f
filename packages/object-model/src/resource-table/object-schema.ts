/**
 * What an object of a built-in kind looks like: every message type of the API with its fields, for
 * JSON (names, defaults, list and map types, merge keys), for the protobuf wire (numbers), and for
 * printing as kube-apiserver prints.
 *
 * To print a typed object byte for byte as Go does, walk `fields` in their order: it is the order of
 * the Go struct, `kind` and `apiVersion` first, embedded structs in place. A field that is absent or
 * empty is left out unless `printedWhenEmpty`; empty means `""`, `0`, `false`, an empty list or map,
 * but an explicit zero in a `pointer` field is a value. What is printed although absent is the zero
 * of its type (`""`, `0`, `false`, the printed empty struct), and null for a pointer, a list, a map
 * and a time. Map keys print sorted.
 */

import { builtinSchemas } from "../generated/builtin-schemas.ts";
import type { GroupVersionKind } from "../generated/meta-v1.ts";
import { printApiVersion } from "../group-version-kind.ts";
import { readSchema } from "./read-schema.ts";
import type { SchemaPackage } from "./schema-text.ts";
import { indexParagraphs, linesAt } from "./schema-text.ts";

/** A property that does not apply is undefined, not missing: all schemas have one hidden class. */
export interface ObjectSchema {
  /** `core.v1.Pod`: end of the Go package, then the type. */
  readonly name: string;
  /** `io.k8s.api.core.v1.Pod`, as OpenAPI documents name it. */
  readonly openApiName: string;
  /** How it looks in JSON; `fields` describe the JSON only where this is `object`. */
  readonly form: JsonForm;
  /** Has `kind` and `apiVersion`: can stand alone. */
  readonly isKind: boolean;
  /** The `apiVersion` of the kind; undefined where it exists in every group-version (DeleteOptions). */
  readonly onlyApiVersion: string | undefined;
  /** Undefined is granular: server-side apply merges it field by field. */
  readonly mapType: "atomic" | "granular" | undefined;
  readonly unions: readonly SchemaUnion[];
  /** By JSON name, in Go struct order, with the fields of embedded structs in place. */
  readonly fields: ReadonlyMap<string, SchemaField>;
  /** By number, as on the wire: an embedded struct is a message; `kind`, `apiVersion` are absent. */
  readonly wireFields: ReadonlyMap<number, WireField>;
}

/**
 * `any`: every JSON value. `any-object`: an object of free content (RawExtension). `schema-or-...`:
 * a JSON schema or what the name says (apiextensions). `string-list`: a list that is a message on
 * the wire. The rest are scalars with a format of their own.
 */
export type JsonForm =
  | "any"
  | "any-object"
  | "duration"
  | "int-or-string"
  | "micro-time"
  | "object"
  | "quantity"
  | "schema-or-bool"
  | "schema-or-list"
  | "schema-or-strings"
  | "string-list"
  | "time";

export type ScalarType = "bool" | "bytes" | "double" | "int32" | "int64" | "string";

export interface FieldType {
  /** Keys of a map are strings; on the wire its entries are messages of key 1 and value 2. */
  readonly shape: "list" | "map" | "single";
  /** One of `scalar` and `schema` is defined: the type of the value, list element or map value. */
  readonly scalar: ScalarType | undefined;
  readonly schema: string | undefined;
}

export interface SchemaField extends FieldType {
  readonly name: string;
  readonly required: boolean;
  /**
   * As OpenAPI declares it. Zero values only say that the Go field is a value; others are what keys
   * of an associative list take when absent (`protocol: TCP`).
   */
  readonly default: SchemaDefault | undefined;
  readonly listType: "atomic" | "map" | "set" | undefined;
  /** With list type `map`: the fields that together are an element's key. */
  readonly listMapKeys: readonly string[] | undefined;
  readonly mapType: "atomic" | "granular" | undefined;
  readonly patchMergeKey: string | undefined;
  /** `merge`, `replace`, `retainKeys`, or several. */
  readonly patchStrategies: readonly string[] | undefined;
  readonly pointer: boolean;
  readonly printedWhenEmpty: boolean;
}

export type SchemaDefault = boolean | number | string | Readonly<Record<string, never>>;

/** Repeated scalars are not packed. */
export interface WireField extends FieldType {
  readonly number: number;
  /** JSON name; undefined for an embedded struct. */
  readonly name: string | undefined;
  /** 0 varint, 1 eight bytes, 2 length-delimited. */
  readonly wireType: 0 | 1 | 2;
}

/** At most one of the fields may be set: the one whose value the discriminator, if any, holds. */
export interface SchemaUnion {
  readonly discriminator: string | undefined;
  readonly fields: ReadonlyMap<string, string>;
}

export class UnknownSchemaError extends Error {
  readonly code = "unknown-schema";
  readonly schema: string;

  constructor(schema: string) {
    super(`no built-in schema "${schema}"; expected a name such as "core.v1.Pod"`);
    this.name = "UnknownSchemaError";
    this.schema = schema;
  }
}

const decoded = new Map<string, ObjectSchema>();
const indexes = new Map<SchemaPackage, ReadonlyMap<string, number>>();

/** The schema of that name. Decoded once, on first use; throws UnknownSchemaError. */
export function schemaOf(name: string): ObjectSchema {
  const schema = findSchema(name);
  if (schema === undefined) throw new UnknownSchemaError(name);
  return schema;
}

export function findSchema(name: string): ObjectSchema | undefined {
  const known = decoded.get(name);
  if (known !== undefined) return known;
  const split = name.lastIndexOf(".");
  const packageName = name.slice(0, Math.max(split, 0));
  const home = builtinSchemas.find((candidate) => candidate.name === packageName);
  const begin = home === undefined ? undefined : indexOf(home).get(name.slice(split + 1));
  if (home === undefined || begin === undefined) return undefined;
  const schema = readSchema({ name, home, lines: linesAt(home.text, begin), schemaOf });
  decoded.set(name, schema);
  return schema;
}

/**
 * The schema of a kind, whether a resource has it or not: Pod, PodList, Scale, Status, DeleteOptions.
 * The option kinds (DeleteOptions, ListOptions, ...) exist in every group-version, also custom ones.
 * WatchEvent carries no kind and is only to be had by name.
 */
export function findSchemaOfKind(wanted: GroupVersionKind): ObjectSchema | undefined {
  const { group, version, kind } = wanted;
  const home = builtinSchemas.find(
    ({ groupVersion }) => groupVersion?.group === group && groupVersion.version === version,
  );
  const own = home === undefined ? undefined : findSchema(`${home.name}.${kind}`);
  if (own?.isKind === true) return own;
  const meta = findSchema(`meta.v1.${kind}`);
  if (meta?.isKind !== true) return undefined;
  const { onlyApiVersion } = meta;
  return onlyApiVersion === undefined || onlyApiVersion === printApiVersion(wanted)
    ? meta
    : undefined;
}

/** Names of all schemas, package by package. */
export function listSchemaNames(): readonly string[] {
  return builtinSchemas.flatMap((home) =>
    Array.from(indexOf(home).keys(), (type) => `${home.name}.${type}`),
  );
}

function indexOf(home: SchemaPackage): ReadonlyMap<string, number> {
  let index = indexes.get(home);
  if (index === undefined) {
    index = indexParagraphs(home.text);
    indexes.set(home, index);
  }
  return index;
}
