import type { WorkSteps } from "@homeostat/cel";
import { type FieldError, FieldPath, type JsonObject } from "@homeostat/object-model";
import type { JSONSchemaProps } from "@homeostat/object-model/apiextensions-v1";
import {
  applySchemaDefaultsInSteps,
  checkEmbedded,
  checkListTypes,
  coerceEmbedded,
  dropNullsInSteps,
  type MergeSchema,
  parseStructuralSchema,
  pruneInSteps,
  RuleTree,
  structuralMergeSchema,
  validateChangeAgainst,
  validateExpressions,
} from "@homeostat/schema";
import { ObjectDecodeError } from "../codec/object-decode-error.ts";
import { embeddedMetadata } from "../rules/definitions/embedded-metadata.ts";
import type { CustomChange, VersionSchema } from "./version-schema.ts";

/** The schema of a version as its definition gives it. */
export function structuralVersionSchema(props: JSONSchemaProps | undefined): VersionSchema {
  const schema = parseStructuralSchema(props);
  let mergeSchema: MergeSchema | undefined;
  let ruleTree: RuleTree | "unread" | undefined = "unread";
  return {
    get mergeSchema() {
      return (mergeSchema ??= structuralMergeSchema(schema));
    },
    *prune(object: JsonObject, { lenient = false }: { readonly lenient?: boolean } = {}) {
      const unknownFields = yield* pruneInSteps(object, schema);
      yield* dropNullsInSteps(object, schema);
      const options = { reader: embeddedMetadata, dropMalformed: lenient };
      const embedded = coerceEmbedded(object, schema, options);
      if (embedded.error !== undefined) throw new ObjectDecodeError(String(embedded.error));
      return [...unknownFields, ...embedded.unknownFields];
    },
    applyDefaults: (object) => applySchemaDefaultsInSteps(object, schema),
    validate({ object, old, part }) {
      if (part === "status") return validateStatus(object, old);
      return validateChangeAgainst({ value: object, old }, schema);
    },
    *validateParts({ object, old, part }: CustomChange) {
      const embedded =
        part === "all" ? checkEmbedded(object, schema, { reader: embeddedMetadata }) : [];
      const errors = yield* checkListTypes(object, schema);
      // What was wrong before does not hold up an update.
      const isAsked = old !== undefined && errors.length > 0;
      const wasWrong = isAsked && (yield* checkListTypes(old, schema)).length > 0;
      return wasWrong ? embedded : [...embedded, ...errors];
    },
    get hasRules() {
      return rules() !== undefined;
    },
    async examine({ object, old }, { breathe, warn }) {
      const found = await validateExpressions({ value: object, old }, rules(), { breathe });
      for (const warning of found.warnings) warn(warning);
      return found.errors;
    },
  };

  function rules(): RuleTree | undefined {
    if (ruleTree === "unread") ruleTree = RuleTree.of(schema);
    return ruleTree;
  }

  function* validateStatus(
    object: JsonObject,
    old: JsonObject | undefined,
  ): WorkSteps<FieldError[]> {
    const status = schema.properties.get("status");
    const value = object["status"];
    if (status === undefined || value === undefined) return [];
    const path = FieldPath.of("status");
    return yield* validateChangeAgainst({ value, old: old?.["status"] }, status, { path });
  }
}
