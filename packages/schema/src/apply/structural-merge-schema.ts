import { schemaOf } from "@homeostat/object-model";
import type { StructuralSchema } from "../structural/structural-schema.ts";
import { builtinMergeSchema } from "./builtin-merge-schema.ts";
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

/**
 * How objects of a custom resource are merged. A node is made when it is first asked for: holding a
 * large definition costs what its objects touch. `preservesUnknownFields`: of the whole definition.
 */
export function structuralMergeSchema(
  schema: StructuralSchema,
  { preservesUnknownFields = false }: { readonly preservesUnknownFields?: boolean } = {},
): MergeSchema {
  return new StructuralType(schema, { preserves: preservesUnknownFields, isResource: true });
}

/** What every object has, whatever its schema says of it. */
function setResourceFields(fields: Map<string, MergeField>): void {
  const text = { type: scalarSchema("string"), default: undefined };
  const metadata = builtinMergeSchema(schemaOf("meta.v1.ObjectMeta"));
  fields.set("apiVersion", text);
  fields.set("kind", text);
  fields.set("metadata", { type: metadata, default: undefined });
}

class StructuralType implements MergeSchema {
  readonly #schema: StructuralSchema;
  /** Of this node or one above it. */
  readonly #preserves: boolean;
  readonly #isResource: boolean;
  #list: ListForm | undefined;
  #map: MapForm | undefined;

  constructor(
    schema: StructuralSchema,
    { preserves, isResource }: { readonly preserves: boolean; readonly isResource?: boolean },
  ) {
    this.#schema = schema;
    this.#preserves = preserves || schema.preservesUnknownFields;
    this.#isResource = isResource === true || schema.isEmbeddedResource;
  }

  #below(schema: StructuralSchema): MergeSchema {
    return new StructuralType(schema, { preserves: this.#preserves });
  }

  get scalar(): ScalarForm | undefined {
    const { type, source } = this.#schema;
    switch (type) {
      case "object":
      case "array":
        return undefined;
      case "integer":
      case "number":
        return "numeric";
      case "boolean":
        return "boolean";
      case "string":
        return (source.format ?? "") === "" || source.format === "byte" ? "string" : "untyped";
      default:
        return "untyped";
    }
  }

  get list(): ListForm | undefined {
    const { type } = this.#schema;
    if (type !== "array" && type !== "") return undefined;
    return (this.#list ??= this.#makeList());
  }

  get map(): MapForm | undefined {
    const { type } = this.#schema;
    if (type !== "object" && type !== "") return undefined;
    return (this.#map ??= this.#makeMap());
  }

  #makeList(): ListForm {
    const { items, listType, listMapKeys } = this.#schema;
    return {
      relation: listType === "set" || listType === "map" ? "associative" : "atomic",
      keys: listType === "map" ? inKeyOrder(listMapKeys) : [],
      element: items === undefined ? UNTYPED_ATOMIC : this.#below(items),
    };
  }

  #makeMap(): MapForm {
    const { properties, mapType } = this.#schema;
    const fields = new Map<string, MergeField>();
    for (const [name, schema] of properties) {
      fields.set(name, { type: this.#below(schema), default: schema.defaultValue });
    }
    if (this.#isResource) setResourceFields(fields);
    const element = this.#elementType(fields.size > 0);
    return {
      relation: mapType === "atomic" ? "atomic" : "granular",
      fields,
      element,
      deduced: element === UNTYPED_DEDUCED && fields.size === 0,
    };
  }

  /** What declares no fields at all may hold any. */
  #elementType(hasFields: boolean): MergeSchema | undefined {
    const { additionalProperties } = this.#schema;
    if (typeof additionalProperties === "object") return this.#below(additionalProperties);
    if (additionalProperties !== undefined) {
      return additionalProperties ? UNTYPED_DEDUCED : undefined;
    }
    return this.#preserves || !hasFields ? UNTYPED_DEDUCED : undefined;
  }
}
