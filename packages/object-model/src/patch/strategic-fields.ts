import type { PatchField, PatchSchema } from "./patch-schema.ts";
import { fieldUnknown, notAList, notAStruct, strategyUnknown } from "./strategic-errors.ts";

/** What the schema declares about a field, read for merging. */
export interface StrategicField {
  /** The field's type; for a list, the type of its elements. */
  readonly schema: PatchSchema;
  /** Empty where none is declared. */
  readonly mergeKey: string;
  /** `merge`, `replace` or empty. */
  readonly strategy: string;
  /** Whether patches of this field say which keys to keep. */
  readonly retainKeys: boolean;
}

/** The declaration of a field that holds an object. */
export function objectFieldOf(schema: PatchSchema, key: string): StrategicField {
  const field = declared(schema, key);
  return { ...readStrategies(field), schema: field.list ? LIST : field.schema };
}

/** The declaration of a field that holds a list. */
export function listFieldOf(schema: PatchSchema, key: string): StrategicField {
  const field = declared(schema, key);
  if (!field.list) throw notAList(schema.kind);
  return { ...readStrategies(field), schema: field.schema };
}

/** Stands for the type of a list where an object was found: nothing in it is declared. */
const LIST: PatchSchema = { kind: "scalar", name: "slice", field: () => undefined };

function declared(schema: PatchSchema, key: string): PatchField {
  if (schema.kind !== "struct") throw notAStruct(schema.kind === "map" ? "map" : schema.name);
  const field = schema.field(key);
  if (field === undefined) throw fieldUnknown(schema.name, key);
  return field;
}

function readStrategies(field: PatchField): Omit<StrategicField, "schema"> {
  const others = field.strategies.filter((strategy) => strategy !== "retainKeys");
  const retainKeys = others.length < field.strategies.length;
  if (field.strategies.length > 2 || others.length > 1) throw strategyUnknown(field.strategies);
  return { mergeKey: field.mergeKey ?? "", strategy: others[0] ?? "", retainKeys };
}
