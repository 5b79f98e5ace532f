/**
 * What a library of CEL functions is: declarations for the checker, implementations for evaluation,
 * and what calls cost, before (estimates from sizes) and after (counted from values). An environment
 * is a list of libraries; `standard-library.ts` is one like the others.
 */
import type { ObjectType, Type } from "../expression-types/type.ts";
import type { WorkSteps } from "../text/work-steps.ts";
import type { Value } from "../values/value.ts";

export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDeclaration[];
  /** Names that mean a value or a type: `int`, `kubernetes.Quantity`. */
  readonly constants?: readonly {
    readonly name: string;
    readonly type: Type;
    readonly value: Value;
  }[];
  /** The type of this name, where expressions can make values of it: `Object.spec{replicas: 3}`. */
  readonly messages?: (name: string) => MessageType | undefined;
}

export interface MessageType {
  readonly type: ObjectType;
  /** The value, or a Failure for fields that cannot be. */
  make(fields: ReadonlyMap<string, Value>): Value;
}

export interface FunctionDeclaration {
  /** As it is called: `size`, `ip.isCanonical`, `_+_`. */
  readonly name: string;
  readonly overloads: readonly Overload[];
  /**
   * One implementation for all overloads, which takes arguments of any types (and answers those it
   * cannot take with a Failure). Where left out, the overload whose parameters admit the arguments is
   * called, and there being none is an error that names the types.
   */
  readonly call?: (args: readonly Value[]) => Value;
  /** Of `call`. */
  readonly lengthy?: LengthyCall;
  /** The same for two arguments, without a list of them; never throws. */
  readonly binary?: (a: Value, b: Value) => Value;
}

export interface Overload {
  /** As cel-go and Kubernetes name it: costs and errors refer to it. */
  readonly id: string;
  /** `x.f(y)`: the target is the first parameter. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  /**
   * Never sees an error or an unknown; throws EvaluationError. Left out for what the evaluator does
   * itself (`_&&_`, `_?_:_`). Every argument has a type that its parameter admits.
   */
  readonly call?: (args: readonly Value[]) => Value;
  readonly lengthy?: LengthyCall;
  /** What a call may cost, from what is known of its arguments. Default: 1, result size unknown. */
  readonly estimate?: (args: readonly SizedArgument[]) => CallEstimate;
  /** What a call did cost. An argument that failed is a Failure here, of size 1. Default: 1. */
  readonly cost?: (args: readonly Value[], result: Value) => number;
  /** The cost counts only where the checker left this overload alone; otherwise a call costs 1. */
  readonly costNeedsOverload?: boolean;
  /** `call` takes arguments of any types and checks them itself. */
  readonly unguarded?: boolean;
}

/** How to make a call that may take long, where others get a turn in between. */
export interface LengthyCall {
  /** How long a call takes, in microseconds: the order of magnitude. */
  readonly work: (args: readonly Value[]) => number;
  /** The cost goes by pairs of elements: most of what takes long is too expensive anyway. */
  readonly isQuadratic?: boolean;
  /** The same as `call`. */
  readonly steps: (args: readonly Value[]) => WorkSteps<Value>;
}

/** Both ends inclusive; sums and products saturate at 2^64 - 1, kept as a double. */
export interface CostRange {
  readonly min: number;
  readonly max: number;
}

export interface SizedArgument {
  readonly type: Type;
  /** Of a text (code points), list or map: how long it may be. */
  readonly size: CostRange;
  /** The literal, where the argument is one. */
  readonly literal?: Value;
  /** Of the elements of a list or map, where something is known of them. */
  readonly elementSize?: CostRange;
}

export interface CallEstimate {
  readonly cost: CostRange;
  /** Of the result, where it has one. */
  readonly resultSize?: CostRange;
}
