/**
 * Values that are whole resources inside another one (`x-kubernetes-embedded-resource`): their
 * metadata is read as that of any object, and what identifies them is checked.
 */
import {
  checkDns1035Label,
  FieldError,
  FieldPath,
  type JsonObject,
  type JsonValue,
} from "@homeostat/object-model";
import { isJsonObject, type StructuralSchema } from "../structural/structural-schema.ts";
import { sortKeys } from "../validation/shown-value.ts";

/** What metadata is; this package does not know. */
export interface MetadataReader {
  /**
   * The metadata without what it may not have, and the paths of that, `labels.x`. Throws an Error
   * with Go's message where it is malformed. `dropMalformed`: malformed fields are left out instead.
   */
  read(metadata: JsonValue, options: { readonly dropMalformed: boolean }): ReadMetadata;
  /** What is wrong with metadata that was read. A missing name is not. */
  check(metadata: JsonObject, path: FieldPath): FieldError[];
}

export interface ReadMetadata {
  readonly metadata: JsonObject;
  readonly unknownFields: readonly string[];
}

export interface EmbeddedOptions {
  readonly reader: MetadataReader;
  /** The value is a resource although its schema does not say so. Default false. */
  readonly isResource?: boolean;
  /** Where the value stands. Default: it is the object. */
  readonly path?: FieldPath;
  /** Leave out what is malformed instead of refusing it: for what is already stored. Default false. */
  readonly dropMalformed?: boolean;
}

export interface CoercedEmbedded {
  /** Undefined where nothing had to be refused. The value may be half done where it is defined. */
  readonly error: FieldError | undefined;
  /** Paths of what was dropped, sorted. */
  readonly unknownFields: readonly string[];
}

/** Reads the metadata of every embedded resource, in place. */
export function coerceEmbedded(
  value: JsonValue,
  schema: StructuralSchema,
  options: EmbeddedOptions,
): CoercedEmbedded {
  const unknownFields: string[] = [];
  let error: FieldError | undefined;
  walkEmbedded(
    { value, schema, isResource: options.isResource ?? false, path: options.path },
    (resource, path) => {
      error = coerceOne(resource, path, { options, unknownFields });
      return error === undefined;
    },
  );
  return { error, unknownFields: unknownFields.sort() };
}

/** What is wrong with the identity and the metadata of every embedded resource. */
export function checkEmbedded(
  value: JsonValue,
  schema: StructuralSchema,
  options: EmbeddedOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  walkEmbedded(
    { value, schema, isResource: options.isResource ?? false, path: options.path },
    (resource, path) => {
      for (const each of checkOne(resource, path, options.reader)) errors.push(each);
      return true;
    },
  );
  return errors;
}

interface Place {
  readonly value: JsonValue;
  readonly schema: StructuralSchema | undefined;
  readonly isResource: boolean;
  readonly path: FieldPath | undefined;
}

/** Outer ones first. Ends where `visit` says so; false then. */
function walkEmbedded(
  { value, schema, isResource, path }: Place,
  visit: (resource: JsonObject, path: FieldPath | undefined) => boolean,
): boolean {
  if (schema === undefined || !(isResource || schema.hasEmbeddedBelow)) return true;
  if (Array.isArray(value)) {
    const { items } = schema;
    return value.every((item, index) => {
      const at = (path ?? FieldPath.of("")).index(index);
      return walkEmbedded(
        { value: item, schema: items, isResource: items?.isEmbeddedResource ?? false, path: at },
        visit,
      );
    });
  }
  if (!isJsonObject(value)) return true;
  if (isResource && !visit(value, path)) return false;
  return Object.keys(value).every((key) => {
    const declared = schema.properties.get(key);
    const member = declared ?? schema.additionalSchema;
    const at =
      declared === undefined
        ? (path ?? FieldPath.of("")).key(key)
        : (path?.child(key) ?? FieldPath.of(key));
    const place = {
      value: value[key]!,
      schema: member,
      isResource: member?.isEmbeddedResource ?? false,
      path: at,
    };
    return walkEmbedded(place, visit);
  });
}

function coerceOne(
  resource: JsonObject,
  path: FieldPath | undefined,
  { options, unknownFields }: { options: EmbeddedOptions; unknownFields: string[] },
): FieldError | undefined {
  const { reader, dropMalformed = false } = options;
  for (const name of ["apiVersion", "kind"]) {
    if (!Object.hasOwn(resource, name) || typeof resource[name] === "string") continue;
    if (!dropMalformed)
      return FieldError.invalid(childOf(path, name), resource[name], "must be a string");
    delete resource[name];
  }
  if (!Object.hasOwn(resource, "metadata")) return undefined;
  const at = childOf(path, "metadata");
  try {
    const { metadata, unknownFields: unknown } = reader.read(resource["metadata"]!, {
      dropMalformed,
    });
    for (const field of unknown) unknownFields.push(`${String(at)}.${field}`);
    resource["metadata"] = metadata;
  } catch (error) {
    // Metadata that is no object at all stays for the validation to refuse.
    if (!dropMalformed)
      return FieldError.invalid(at, sortKeys(resource["metadata"]!), messageOf(error));
  }
  return undefined;
}

function checkOne(
  resource: JsonObject,
  path: FieldPath | undefined,
  reader: MetadataReader,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ["apiVersion", "kind"]) {
    if (!Object.hasOwn(resource, name)) errors.push(FieldError.required(childOf(path, name)));
  }
  for (const name of ["apiVersion", "kind", "metadata"]) {
    if (!Object.hasOwn(resource, name)) continue;
    const value = resource[name]!;
    const at = childOf(path, name);
    if (name === "metadata") {
      for (const each of checkMetadata(value, at, reader)) errors.push(each);
    } else {
      const problem = name === "kind" ? problemWithKind(value) : problemWithVersion(value);
      if (problem !== undefined) errors.push(FieldError.invalid(at, sortKeys(value), problem));
    }
  }
  return errors;
}

function checkMetadata(value: JsonValue, path: FieldPath, reader: MetadataReader): FieldError[] {
  try {
    return reader.check(reader.read(value, { dropMalformed: false }).metadata, path);
  } catch (error) {
    return [FieldError.invalid(path, sortKeys(value), messageOf(error))];
  }
}

function problemWithVersion(value: JsonValue): string | undefined {
  if (typeof value !== "string") return "must be a string";
  if (value === "") return "must not be empty";
  return value.split("/").length > 2 ? `unexpected GroupVersion string: ${value}` : undefined;
}

function problemWithKind(value: JsonValue): string | undefined {
  if (typeof value !== "string") return "must be a string";
  if (value === "") return "must not be empty";
  const problems = checkDns1035Label(value.toLowerCase());
  if (problems.length === 0) return undefined;
  return `may have mixed case, but should otherwise match: ${problems.join(",")}`;
}

function childOf(path: FieldPath | undefined, name: string): FieldPath {
  return path?.child(name) ?? FieldPath.of(name);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
