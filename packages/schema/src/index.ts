/**
 * What objects have to look like: rules and the place they report to, structural schemas (prune,
 * default, validate), field sets and the merge behind server-side apply. Pure: no I/O, no clock.
 */
export { applyConfiguration } from "./apply/apply-configuration.ts";
export { builtinMergeSchema } from "./apply/builtin-merge-schema.ts";
export { type Comparison, compareValues } from "./apply/compare-values.ts";
export type { FieldSet } from "./apply/field-set.ts";
export {
  areDisjoint,
  difference,
  EMPTY_SET,
  equalSets,
  fieldSetOfPaths,
  hasPath,
  intersection,
  isEmptySet,
  pathsOf,
  recursiveDifference,
  union,
} from "./apply/field-set.ts";
export { fieldSetOf } from "./apply/field-set-of.ts";
export {
  FieldsV1Error,
  printFieldsV1,
  printFieldsV1InSteps,
  readFieldsV1,
} from "./apply/fields-v1.ts";
export type {
  Conflict,
  ManagedSet,
  Managers,
  MergeContext,
  VersionedValue,
} from "./apply/managers.ts";
export { ApplyConflictError } from "./apply/managers.ts";
export type { MergeSchema } from "./apply/merge-schema.ts";
export { MergeValueError } from "./apply/merge-value-error.ts";
export { mergeValues } from "./apply/merge-values.ts";
export { fieldElement, printFieldPath } from "./apply/path-element.ts";
export { extractItems, removeItems } from "./apply/remove-items.ts";
export { ShapeMemo, shapeOf } from "./apply/shape.ts";
export {
  fieldsV1OfText,
  fieldsV1Text,
  isShared,
  sharedFieldsV1,
} from "./apply/shared-fields-v1.ts";
export { structuralMergeSchema } from "./apply/structural-merge-schema.ts";
export { updateManagers } from "./apply/update-managers.ts";
export { validateValue, validateValueInSteps } from "./apply/validate-value.ts";
export {
  applySchemaDefaults,
  applySchemaDefaultsInSteps,
} from "./defaulting/apply-schema-defaults.ts";
export type { CompiledRule } from "./expressions/compile-rule.ts";
export { RuleCompiler } from "./expressions/compile-rule.ts";
export type { DeclaredType } from "./expressions/declared-type.ts";
export { declaredType } from "./expressions/declared-type.ts";
export type { OwnRules } from "./expressions/rule-tree.ts";
export { RuleTree } from "./expressions/rule-tree.ts";
export type { ExpressionOptions, ExpressionResult } from "./expressions/validate-expressions.ts";
export { EXPRESSION_BUDGET, validateExpressions } from "./expressions/validate-expressions.ts";
export type {
  CoercedEmbedded,
  EmbeddedOptions,
  MetadataReader,
  ReadMetadata,
} from "./pruning/embedded-resources.ts";
export { checkEmbedded, coerceEmbedded } from "./pruning/embedded-resources.ts";
export type { PruneOptions } from "./pruning/prune.ts";
export { dropNulls, dropNullsInSteps, prune, pruneInSteps } from "./pruning/prune.ts";
export { LaterVisits } from "./rules/later-visits.ts";
export { Place } from "./rules/place.ts";
export type {
  ChangeRule,
  FieldChangeRules,
  FieldRules,
  Rule,
  Rules,
  ValueChange,
} from "./rules/rule.ts";
export {
  all,
  changedFields,
  each,
  eachLater,
  eachValue,
  fields,
  firstOf,
  ifPresent,
  ifSet,
  isZero,
  when,
} from "./rules/rule.ts";
export {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  immutable,
  inRange,
  nonNegative,
  oneOf,
  positive,
  qualifiedName,
  required,
  requiredBecause,
  textIs,
} from "./rules/value-rules.ts";
export { sortInSteps } from "./sort-in-steps.ts";
export { checkStructural, checkStructuralInSlices } from "./structural/check-structural.ts";
export type { ResolvedFieldPath } from "./structural/resolve-field-path.ts";
export { resolveFieldPath } from "./structural/resolve-field-path.ts";
export {
  additionalOf,
  itemsOf,
  limitOf,
  propertyOf,
  someSchema,
  unreadable,
} from "./structural/schema-source.ts";
export type { ListType } from "./structural/structural-schema.ts";
export {
  isJsonObject,
  parseStructuralSchema,
  StructuralSchema,
} from "./structural/structural-schema.ts";
export { checkedFormat } from "./validation/formats/text-format.ts";
export { checkListTypes } from "./validation/list-types.ts";
export type { CheckPurpose } from "./validation/schema-check.ts";
export { invalidShown, shownAsJson, sortKeys } from "./validation/shown-value.ts";
export type { ValidateOptions } from "./validation/validate-against.ts";
export {
  validateAgainst,
  validateAgainstInSteps,
  validateChangeAgainst,
} from "./validation/validate-against.ts";
