import { FieldError, type FieldPath } from "@homeostat/object-model";
import type {
  CustomResourceValidation,
  JSONSchemaProps,
} from "@homeostat/object-model/apiextensions-v1";
import { checkStructuralInSlices, parseStructuralSchema, unreadable } from "@homeostat/schema";
import { checkDefaults } from "./default-rules.ts";
import type { DefinitionOptions } from "./definition-options.ts";
import { ExpressionRules } from "./expression-rules.ts";
import { internalSchema, usedKeywords } from "./internal-form.ts";
import { SchemaRules } from "./schema-rules.ts";
import type { DefinitionContext } from "./validate-definition.ts";

export interface VersionSchemaOptions extends DefinitionOptions {
  /** The version has a status subresource. */
  readonly hasStatus: boolean;
  /** The schema is as it was. */
  readonly isUnchanged: boolean;
  readonly context: DefinitionContext;
}

/** The schema of a version, at `path`. Expressions are only looked at where all else is right. */
export async function checkVersionSchema(
  validation: Readonly<CustomResourceValidation>,
  path: FieldPath,
  options: VersionSchemaOptions,
): Promise<FieldError[]> {
  const schema = validation.openAPIV3Schema;
  if (schema === undefined) return [];
  const { breathe } = options.context;
  const at = path.child("openAPIV3Schema");
  const errors = checkRoot(schema, at, options.hasStatus);
  const problem = options.requiresStructural ? unreadable(schema) : undefined;
  await breathe();
  let expressions: ExpressionRules | undefined;
  if (options.requiresStructural && problem === undefined) {
    const found = await checkStructure(schema, at, options);
    if (found.length === 0)
      expressions = new ExpressionRules({ limitsRules: !options.isUnchanged });
    for (const each of found) errors.push(each);
  }
  const rules = new SchemaRules(options, expressions);
  rules.check(schema, at);
  for (const each of rules.errors) errors.push(each);
  await breathe();
  for (const check of rules.expressionChecks) {
    check();
    await breathe();
  }
  for (const each of expressions?.errors ?? []) errors.push(each);
  if (errors.length === 0 && problem !== undefined)
    errors.push(FieldError.invalid(at, "", problem));
  for (const each of expressions?.totalErrors(at) ?? []) errors.push(each);
  return errors;
}

async function checkStructure(
  schema: JSONSchemaProps,
  path: FieldPath,
  options: VersionSchemaOptions,
): Promise<FieldError[]> {
  const errors = await checkStructuralInSlices(schema, path, options.context.breathe);
  await options.context.breathe();
  if (errors.length > 0) return errors;
  const { reader, breathe } = options.context;
  const { requiresPrunedDefaults: requiresPruned } = options;
  return await checkDefaults(parseStructuralSchema(schema), path, {
    reader,
    requiresPruned,
    breathe,
  });
}

/** What the root may say; less where a status subresource splits it. */
function checkRoot(schema: JSONSchemaProps, path: FieldPath, hasStatus: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (hasStatus) {
    for (const keyword of usedKeywords(schema)) {
      if (keyword === "Type" && schema.type !== "object") {
        const detail =
          'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
        errors.push(FieldError.invalid(path.child("type"), schema.type, detail));
        break;
      }
      if (!AT_ROOT.includes(keyword)) {
        const detail = `only [${AT_ROOT.join(" ")}] fields are allowed at the root of the schema if the status subresource is enabled`;
        errors.push(FieldError.invalid(path, internalSchema(schema), detail));
        break;
      }
    }
  }
  if (schema.nullable === true) {
    errors.push(
      FieldError.forbidden(path.child("nullable"), "nullable cannot be true at the root"),
    );
  }
  return errors;
}

const AT_ROOT = [
  "Description",
  "Type",
  "Format",
  "Title",
  "Maximum",
  "ExclusiveMaximum",
  "Minimum",
  "ExclusiveMinimum",
  "MaxLength",
  "MinLength",
  "Pattern",
  "MaxItems",
  "MinItems",
  "UniqueItems",
  "MultipleOf",
  "Required",
  "Items",
  "Properties",
  "ExternalDocs",
  "Example",
  "XPreserveUnknownFields",
  "XValidations",
];
