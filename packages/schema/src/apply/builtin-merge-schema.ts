import {
  type ObjectSchema,
  type ScalarType,
  type SchemaField,
  schemaOf,
} from "@homeostat/object-model";
import {
  type ListForm,
  type MapForm,
  type MergeField,
  type MergeSchema,
  type ScalarForm,
  scalarSchema,
  UNTYPED_ATOMIC,
  UNTYPED_DEDUCED,
} from "./merge-schema.ts";
import { inKeyOrder } from "./path-element.ts";

type Relation = MapForm["relation"];

/** By name, and by the relation that the field which refers to it asks for, if any. */
const known = new Map<string, MergeSchema>();

/** How objects of a built-in type are merged. Made once. */
export function builtinMergeSchema(schema: ObjectSchema): MergeSchema {
  return typeOfSchema(schema, undefined);
}

function typeOfSchema(schema: ObjectSchema, relation: Relation | undefined): MergeSchema {
  const key = relation === undefined ? schema.name : `${schema.name} ${relation}`;
  const made = known.get(key);
  if (made !== undefined) return made;
  const simple = typeOfForm(schema);
  if (simple !== undefined) {
    known.set(key, simple);
    return simple;
  }
  const fields = new Map<string, MergeField>();
  const map: MapForm = {
    relation: relation ?? schema.mapType ?? "granular",
    fields,
    // What declares no fields at all may hold any.
    element: schema.fields.size === 0 ? UNTYPED_DEDUCED : undefined,
    deduced: schema.fields.size === 0,
  };
  const type: MergeSchema = { scalar: undefined, list: undefined, map };
  // Before its fields: types contain themselves.
  known.set(key, type);
  for (const field of schema.fields.values()) {
    const { default: given } = field;
    fields.set(field.name, { type: typeOfField(field), default: given });
  }
  return type;
}

/** Of a type with a JSON form of its own; undefined for a struct. */
function typeOfForm({ form, name }: ObjectSchema): MergeSchema | undefined {
  switch (form) {
    case "object":
      return undefined;
    case "duration":
      return scalarSchema("string");
    case "micro-time":
    case "quantity":
    case "time":
      return scalarSchema("untyped");
    case "string-list":
      return listSchema({ relation: "atomic", keys: [], element: scalarSchema("string") });
    case "any-object":
      return name === "runtime.RawExtension"
        ? UNTYPED_ATOMIC
        : mapSchema(UNTYPED_DEDUCED, undefined);
    default:
      return UNTYPED_DEDUCED;
  }
}

function typeOfField(field: SchemaField): MergeSchema {
  const { shape, mapType, scalar, schema } = field;
  if (shape === "single" && schema !== undefined) return typeOfSchema(schemaOf(schema), mapType);
  const held = schema === undefined ? scalarSchema(formOfScalar(scalar!)) : undefined;
  const element = held ?? typeOfSchema(schemaOf(schema!), undefined);
  switch (shape) {
    case "single":
      return element;
    case "map":
      return mapSchema(element, mapType);
    case "list":
      return listSchema({ ...relationOf(field), element });
  }
}

function relationOf(field: SchemaField): Pick<ListForm, "keys" | "relation"> {
  const { listType, listMapKeys, patchStrategies, patchMergeKey } = field;
  switch (listType) {
    case "atomic":
      return { relation: "atomic", keys: [] };
    case "set":
      return { relation: "associative", keys: [] };
    case "map":
      return { relation: "associative", keys: inKeyOrder(listMapKeys ?? []) };
    default:
      if (patchStrategies?.includes("merge") !== true) return { relation: "atomic", keys: [] };
      return { relation: "associative", keys: patchMergeKey === undefined ? [] : [patchMergeKey] };
  }
}

function listSchema(list: ListForm): MergeSchema {
  return { scalar: undefined, list, map: undefined };
}

function mapSchema(element: MergeSchema, relation: Relation | undefined): MergeSchema {
  const map: MapForm = {
    relation: relation ?? "granular",
    fields: new Map(),
    element,
    deduced: element === UNTYPED_DEDUCED,
  };
  return { scalar: undefined, list: undefined, map };
}

function formOfScalar(scalar: ScalarType): ScalarForm {
  switch (scalar) {
    case "bool":
      return "boolean";
    case "double":
    case "int32":
    case "int64":
      return "numeric";
    default:
      return "string";
  }
}
