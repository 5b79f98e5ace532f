/**
 * The Common Expression Language as Kubernetes 1.36 speaks it: same grammar, types, functions, costs
 * and messages as kube-apiserver's. Start at `createEnvironment`: it compiles texts to expressions,
 * which estimate their cost and are evaluated with values that `valueOf` makes of JSON.
 *
 * Nothing here does I/O or keeps state of evaluations.
 */
export type { SizeEstimator } from "./cost/size-book.ts";
export type { Compilation, Environment, EnvironmentOptions } from "./environment.ts";
export { createEnvironment } from "./environment.ts";
export { escapeName, unescapeName } from "./escape-name.ts";
export { EvaluationError } from "./evaluation-error.ts";
export type {
  Bindings,
  CelExpression,
  EvaluateAsyncOptions,
  EvaluateOptions,
  Evaluation,
} from "./expression.ts";
export { printType, printTypeName } from "./expression-types/print-type.ts";
export type {
  ListMerge,
  ListType,
  ObjectType,
  ObjectTypeField,
  SimpleTypeKind,
  Type,
} from "./expression-types/type.ts";
export {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  STRING,
  TIMESTAMP,
  typeOf,
  typeParam,
  UINT,
} from "./expression-types/type.ts";
export { kubernetesLibraries } from "./library/kubernetes-libraries.ts";
export type {
  CallEstimate,
  CostRange,
  FunctionDeclaration,
  Library,
  MessageType,
  Overload,
  SizedArgument,
} from "./library/library.ts";
export type { Issue } from "./syntax/issue.ts";
export { compilePattern, type Pattern, PatternError } from "./text/pattern.ts";
export {
  finishNow,
  inSlices,
  inTurns,
  WORK_PER_SLICE,
  type WorkSteps,
} from "./text/work-steps.ts";
export { Failure } from "./values/failure.ts";
export { jsonOf, NoJsonError } from "./values/json-of-value.ts";
export { valueOf } from "./values/json-value.ts";
export { MessageValue } from "./values/message-value.ts";
export { Optional } from "./values/optional-value.ts";
export type {
  ListValue,
  MapValue,
  ObjectValue,
  OpaqueValue,
  UintValue,
  Value,
} from "./values/value.ts";
