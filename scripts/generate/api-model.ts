// The model both printers work from: every message type of the API with its fields in Go struct order, joined from
// OpenAPI (JSON names, defaults, list and patch rules), protobuf (numbers, wire types, embedded structs) and
// go-structs.json (what only the Go source tells). Joining is strict: a field known to one source only is an error.

import type { OpenApiUnion } from "./read-input.ts";

export type Scalar = "string" | "bool" | "int32" | "int64" | "double" | "bytes";

/**
 * How a message looks in JSON. All but `object` have their own JSON encoding in Go, so that fields matter only on the
 * protobuf wire.
 */
export type JsonForm =
  | "object"
  | "time"
  | "micro-time"
  | "duration"
  | "quantity"
  | "int-or-string"
  | "any"
  | "any-object"
  | "string-list"
  | "schema-or-list"
  | "schema-or-bool"
  | "schema-or-strings";

export interface FieldType {
  readonly shape: "single" | "list" | "map";
  /** A scalar, or the short name of a message. Map keys are always strings. */
  readonly element: string;
}

export interface ApiField {
  /** JSON name; the empty string for an embedded struct, whose fields stand in its place in JSON. */
  readonly name: string;
  readonly number: number;
  readonly type: FieldType;
  readonly embedded: boolean;
  readonly required: boolean;
  /** The declared default; zero values of the type (`""`, `0`, `false`, `{}`) are declared by Go values. */
  readonly default?: unknown;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  readonly mapType?: string;
  readonly patchMergeKey?: string;
  readonly patchStrategy?: string;
  /** A Go pointer: an explicit zero value is kept and printed. */
  readonly pointer: boolean;
  /** Go prints the field even when it is empty (no omitempty, or a struct value). */
  readonly printedWhenEmpty: boolean;
}

export interface ApiMessage {
  readonly name: string;
  readonly openApiName: string;
  readonly form: JsonForm;
  /** Has `kind` and `apiVersion` (Go's TypeMeta), which come first in JSON and are no protobuf fields. */
  readonly typed: boolean;
  readonly mapType?: string;
  readonly unions: readonly OpenApiUnion[];
  /** Known to OpenAPI, hence part of what the server publishes. */
  readonly published: boolean;
  readonly fields: readonly ApiField[];
}

export type ApiModel = ReadonlyMap<string, ApiMessage>;

const scalars: ReadonlySet<string> = new Set<Scalar>([
  "string",
  "bool",
  "int32",
  "int64",
  "double",
  "bytes",
]);

export function isScalar(element: string): element is Scalar {
  return scalars.has(element);
}
