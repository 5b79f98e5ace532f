/**
 * What a Kubernetes object is, as pure data and pure functions: identity (keys, group-version-kind,
 * resource versions), the values objects carry (quantities, durations, times, conditions, owner
 * references), how they are chosen (selectors), changed (patches), written (JSON) and refused (API
 * errors and Status bodies), and the generated tables of the built-in kinds.
 *
 * Nothing here does I/O, reads a clock or mutates what it is given. Blocks below are one per file,
 * in alphabetical order of the files.
 */

export type { ApiErrorOptions } from "./api-error.ts";
export { ApiError } from "./api-error.ts";
export type { HttpFailure } from "./api-error-of-http.ts";
export { apiErrorOfHttp } from "./api-error-of-http.ts";
export type { ConditionStatus, ConditionUpdate } from "./condition.ts";
export {
  findCondition,
  hasConditionStatus,
  isConditionFalse,
  isConditionTrue,
  removeCondition,
  setCondition,
} from "./condition.ts";
export type { Nanoseconds } from "./duration.ts";
export { DurationError, durationToMilliseconds, parseDuration, printDuration } from "./duration.ts";
export type { FieldErrorType } from "./field-error.ts";
export { FieldError, printFieldErrors } from "./field-error.ts";
export { FieldPath } from "./field-path.ts";
export type { BuiltinKinds } from "./generated/builtin-kinds.ts";
export type {
  Condition,
  GroupVersionKind,
  GroupVersionResource,
  ListMeta,
  ObjectMeta,
  OwnerReference,
  Status,
  StatusCause,
  StatusDetails,
} from "./generated/meta-v1.ts";
export type { GroupKind, GroupResource, GroupVersion } from "./group-version-kind.ts";
export {
  GroupVersionError,
  groupVersionKindOf,
  parseApiVersion,
  parseGroupKind,
  parseGroupResource,
  printApiVersion,
  printGroupKind,
  printGroupResource,
  printGroupVersionKind,
  printGroupVersionResource,
} from "./group-version-kind.ts";
export { cloneJson } from "./json/clone-json.ts";
export { compareBytewise } from "./json/compare-bytewise.ts";
export type { DecodedJson, DecodeJsonOptions } from "./json/decode-json.ts";
export { decodeJson } from "./json/decode-json.ts";
export { duplicateFieldMessage } from "./json/duplicate-fields.ts";
export { encodeJson, encodeJsonBytes } from "./json/encode-json.ts";
export { equalJson } from "./json/equal-json.ts";
export { goQuote } from "./json/go-quote.ts";
export type { JsonPosition } from "./json/json-error.ts";
export {
  JsonDepthError,
  JsonEncodeError,
  JsonError,
  JsonNumberError,
  JsonSizeError,
  JsonSyntaxError,
} from "./json/json-error.ts";
export type { JsonObject, JsonValue } from "./json/json-value.ts";
export { ownKey, setOwnKey } from "./json/own-key.ts";
export {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelKey,
  checkLabelValue,
  checkPathSegmentName,
  checkPathSegmentPrefix,
} from "./name-validation.ts";
export type { KubernetesList, KubernetesObject, TypeMeta } from "./object.ts";
export { annotationOf, isBeingDeleted, labelOf } from "./object.ts";
export type { ObjectKey } from "./object-key.ts";
export {
  compareObjectKeys,
  ObjectKeyError,
  objectKey,
  objectKeyOf,
  parseObjectKey,
  printObjectKey,
  sameObjectKey,
} from "./object-key.ts";
export type { OwnerReferenceOptions } from "./owner-reference.ts";
export {
  controllerOf,
  controllerReferenceTo,
  isControlledBy,
  isOwnedBy,
  OwnerReferenceError,
  ownerReferenceTo,
  setController,
  withOwnerReference,
  withoutOwnerReference,
} from "./owner-reference.ts";
export { createStrategicMergePatch } from "./patch/create-strategic-merge-patch.ts";
export { applyJsonPatch, type JsonPatchOperation } from "./patch/json-patch.ts";
export { applyMergePatch, createMergePatch } from "./patch/merge-patch.ts";
export { PatchError, type PatchErrorCode } from "./patch/patch-error.ts";
export type { PatchLimits } from "./patch/patch-limits.ts";
export type { PatchField, PatchSchema } from "./patch/patch-schema.ts";
export {
  applyStrategicMergePatch,
  type StrategicMergeOptions,
} from "./patch/strategic-merge-patch.ts";
export type { QuantityOptions } from "./quantity/quantity.ts";
export { canonicalizeQuantity, Quantity } from "./quantity/quantity.ts";
export { QuantityError, QuantityRangeError } from "./quantity/quantity-error.ts";
export type { QuantityFormat } from "./quantity/quantity-suffix.ts";
export type {
  ByteStreamAnswer,
  BytesAnswer,
  DoorAnswer,
  DoorBody,
  DoorRequest,
  DoorStream,
  ObjectAnswer,
  RequestDoor,
  WatchAnswer,
  WatchFrame,
} from "./request-door.ts";
export { RequestDoorError } from "./request-door.ts";
export type {
  BuiltinResource,
  BuiltinSubresource,
  ResourceVerb,
} from "./resource-table/builtin-resource.ts";
export type {
  FieldType,
  JsonForm,
  ObjectSchema,
  ScalarType,
  SchemaDefault,
  SchemaField,
  SchemaUnion,
  WireField,
} from "./resource-table/object-schema.ts";
export {
  findSchema,
  findSchemaOfKind,
  listSchemaNames,
  schemaOf,
  UnknownSchemaError,
} from "./resource-table/object-schema.ts";
export { patchSchemaOf } from "./resource-table/patch-schema-of.ts";
export type { BuiltinGroup } from "./resource-table/resource-table.ts";
export {
  findBuiltinResource,
  findBuiltinResourceOfKind,
  findBuiltinResourcesByName,
  listBuiltinGroups,
  listBuiltinResources,
} from "./resource-table/resource-table.ts";
export {
  compareResourceVersions,
  isResourceVersion,
  ResourceVersionError,
} from "./resource-version.ts";
export type {
  FieldOperator,
  FieldRequirement,
  FieldTransform,
  FieldValues,
} from "./selector/field-selector.ts";
export { escapeFieldValue, FieldSelector } from "./selector/field-selector.ts";
export type { LabelOperator, LabelRequirement, Labels } from "./selector/label-requirement.ts";
export { checkLabelSelector, LabelSelector } from "./selector/label-selector.ts";
export { SelectorError } from "./selector/selector-error.ts";
export type { FailureParts, FailureStatus, SuccessStatus } from "./status.ts";
export { failureStatus, isStatus, successStatus } from "./status.ts";
export type { StatusReason, StatusReasonInfo } from "./status-reason.ts";
export { isStatusReason, reasonOfHttpStatus, STATUS_REASONS } from "./status-reason.ts";
export type { Instant } from "./time.ts";
export {
  instantOfMilliseconds,
  instantToMilliseconds,
  microTimeOfMilliseconds,
  parseMicroTime,
  parseTime,
  printMicroTime,
  printTime,
  TimeError,
  timeOfMilliseconds,
  ZERO_TIME,
} from "./time.ts";
