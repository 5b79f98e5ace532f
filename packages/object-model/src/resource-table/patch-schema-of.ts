/** Strategic merge's view of the built-in kinds: the table behind the PatchSchema seam. */

import type { PatchField, PatchSchema } from "../patch/patch-schema.ts";
import type { ObjectSchema, ScalarType, SchemaField } from "./object-schema.ts";
import { schemaOf } from "./object-schema.ts";

const known = new Map<string, PatchSchema>();

/**
 * The patch schema of a built-in type, by schema name (`core.v1.Pod`; a resource has it in
 * `schema`). Fields are looked up one by one, so a patch decodes only the types it reaches. Throws
 * UnknownSchemaError.
 */
export function patchSchemaOf(name: string): PatchSchema {
  let schema = known.get(name);
  if (schema === undefined) {
    schema = new TablePatchSchema(schemaOf(name));
    known.set(name, schema);
  }
  return schema;
}

class TablePatchSchema implements PatchSchema {
  readonly kind = "struct";
  readonly name: string;
  readonly #schema: ObjectSchema;
  readonly #fields = new Map<string, PatchField>();

  constructor(schema: ObjectSchema) {
    this.#schema = schema;
    this.name = schema.name.slice(schema.name.lastIndexOf(".") + 1);
  }

  /** Types with a JSON encoding of their own (Quantity, RawExtension) declare no fields. */
  field(name: string): PatchField | undefined {
    const found = this.#fields.get(name);
    if (found !== undefined || this.#schema.form !== "object") return found;
    const declared = this.#schema.fields.get(name);
    if (declared === undefined) return undefined;
    const field = toPatchField(declared);
    this.#fields.set(name, field);
    return field;
  }
}

function toPatchField(field: SchemaField): PatchField {
  const { shape, scalar, schema, patchMergeKey, patchStrategies = [] } = field;
  const listMessage = schema !== undefined && schemaOf(schema).form === "string-list";
  let type: PatchSchema;
  if (shape === "map") type = freeMap;
  else if (listMessage) type = scalarSchema("string");
  else type = schema === undefined ? scalarSchema(scalar!) : patchSchemaOf(schema);
  return {
    list: shape === "list" || (shape === "single" && listMessage),
    schema: type,
    ...(patchMergeKey === undefined ? {} : { mergeKey: patchMergeKey }),
    strategies: patchStrategies,
  };
}

/** The names are those of Go's kinds, which errors of strategic merge print. */
const freeMap: PatchSchema = { kind: "map", name: "map", field: () => undefined };

const goKinds: Readonly<Record<ScalarType, string>> = {
  bool: "bool",
  bytes: "slice",
  double: "float64",
  int32: "int32",
  int64: "int64",
  string: "string",
};

function scalarSchema(scalar: ScalarType): PatchSchema {
  return { kind: "scalar", name: goKinds[scalar], field: () => undefined };
}
