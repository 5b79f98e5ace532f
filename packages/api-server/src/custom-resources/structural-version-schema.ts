import { type FieldError, FieldPath, type JsonObject } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import {
  applySchemaDefaults,
  checkListTypes,
  dropNulls,
  type MergeSchema,
  parseStructuralSchema,
  prune,
  structuralMergeSchema,
  validateAgainst,
  validateChangeAgainst,
} from "@homeostat/schema";
import type { CustomChange, VersionSchema } from "./version-schema.ts";

/** The schema of a version as its definition gives it. */
export function structuralVersionSchema(props: JSONSchemaProps | undefined): VersionSchema {
  const schema = parseStructuralSchema(props);
  let mergeSchema: MergeSchema | undefined;
  return {
    get mergeSchema() {
      return (mergeSchema ??= structuralMergeSchema(schema));
    },
    prune: (object) => prune(object, schema),
    applyDefaults(object) {
      dropNulls(object, schema);
      applySchemaDefaults(object, schema);
    },
    validate({ object, old, part }) {
      if (part === "status") return validateStatus(object, old);
      return old === undefined
        ? validateAgainst(object, schema)
        : validateChangeAgainst({ value: object, old }, schema);
    },
    validateParts({ object, old }: CustomChange) {
      const errors = checkListTypes(object, schema);
      // What was wrong before does not hold up an update.
      const wasWrong =
        old !== undefined && errors.length > 0 && checkListTypes(old, schema).length > 0;
      return wasWrong ? [] : errors;
    },
    hasRules: false,
    examine: () => Promise.resolve([]),
  };

  function validateStatus(object: JsonObject, old: JsonObject | undefined): FieldError[] {
    const status = schema.properties.get("status");
    const value = object["status"];
    if (status === undefined || value === undefined) return [];
    const path = FieldPath.of("status");
    return validateChangeAgainst({ value, old: old?.["status"] }, status, { path });
  }
}
