import { EvaluationError } from "../evaluation-error.ts";
import { printTypeName } from "../expression-types/print-type.ts";
import type { FunctionDeclaration, LengthyCall, Overload } from "../library/library.ts";
import { WORK_PER_SLICE } from "../text/work-steps.ts";
import { Failure, isFailure } from "../values/failure.ts";
import { typeOfValue } from "../values/type-of-value.ts";
import type { Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";
import { type Node, type Steps, strictNode } from "./node.ts";
import { admits } from "./runtime-type.ts";

type Call = (args: readonly Value[]) => Value;

/**
 * A call of a function. With one overload left by the checker, it is that one that is called and that
 * tells the cost. With several, the arguments decide; the cost then is the overload's only for
 * functions whose cost does not go by overload.
 */
export function callNode(options: {
  readonly declared: FunctionDeclaration;
  readonly overloads: readonly Overload[];
  readonly args: readonly Node[];
  /** Of the standard library, whose costs go by overload. */
  readonly standard: boolean;
}): Node {
  const { declared, overloads, args, standard } = options;
  const only = overloads.length === 1 ? overloads[0] : undefined;
  const eager = args.length <= 2 && (only !== undefined || declared.call !== undefined);
  const candidates = only === undefined ? overloads : [only];
  const call = guarded(declared.call ?? dispatch(declared, candidates));
  const costOf = only?.cost;
  const lengthyOf = lengthyCalls(declared, candidates);
  if (declared.binary !== undefined && args.length === 2 && isQuick(args) && !lengthyOf) {
    return binaryNode({ apply: declared.binary, args, costOf });
  }
  const cost = (values: readonly Value[], result: Value): number => {
    if (costOf !== undefined) return costOf(values, result);
    return standard || only !== undefined ? 1 : costAmong(overloads, values, result);
  };
  /** How to make the call in steps, where it takes that long. */
  const prepare = (values: readonly Value[], frame: Frame): LengthyCall | undefined => {
    const lengthy = lengthyOf?.(values);
    const work = lengthy?.work(values) ?? 0;
    if (work < NOTEWORTHY) return undefined;
    if (lengthy?.isQuadratic === true) frame.expect(cost(values, ""));
    frame.spend(work);
    return work > WORK_PER_SLICE ? lengthy : undefined;
  };
  const finish = (values: readonly Value[], frame: Frame): Value => {
    const failure = values.find(isFailure);
    if (failure === undefined && lengthyOf !== undefined) prepare(values, frame);
    const result = failure ?? call(values);
    frame.charge(cost(values, result));
    return result;
  };
  function* finishInSteps(values: readonly Value[], frame: Frame): Steps {
    const failure = values.find(isFailure);
    const lengthy = failure === undefined ? prepare(values, frame) : undefined;
    const result =
      lengthy === undefined ? (failure ?? call(values)) : yield* guardedSteps(lengthy, values);
    frame.charge(cost(values, result));
    if (frame.needsPause) {
      yield;
      frame.paused();
    }
    return result;
  }
  const steps = lengthyOf === undefined ? {} : { finishInSteps };
  return strictNode(args, finish, { sees: eager ? "all" : "last", ...steps });
}

/** Shorter calls are not counted. */
const NOTEWORTHY = 20;

/** Finds how to make a call in steps; undefined where no call of them can take long. */
function lengthyCalls(
  declared: FunctionDeclaration,
  overloads: readonly Overload[],
): ((args: readonly Value[]) => LengthyCall | undefined) | undefined {
  const { lengthy } = declared;
  if (lengthy !== undefined) return () => lengthy;
  if (overloads.every((overload) => overload.lengthy === undefined)) return undefined;
  return (args) => matching(overloads, args)?.lengthy;
}

function isQuick(args: readonly Node[]): boolean {
  return args.every(({ steps }) => steps === undefined);
}

/** An operator of two operands, which is what most of most expressions is. */
function binaryNode(options: {
  readonly apply: (a: Value, b: Value) => Value;
  readonly args: readonly Node[];
  readonly costOf: Overload["cost"];
}): Node {
  const { apply, costOf } = options;
  const [left, right] = options.args;
  const run = (frame: Frame): Value => {
    const a = left!.run(frame);
    const b = right!.run(frame);
    let result: Value;
    if (isFailure(a)) result = a;
    else if (isFailure(b)) result = b;
    else result = apply(a, b);
    frame.charge(costOf === undefined ? 1 : costOf([a, b], result));
    return result;
  };
  return { run };
}

/** Calls a function outside of any evaluation: literals when compiling. */
export function callNow(
  declared: FunctionDeclaration,
  overloads: readonly Overload[],
  args: readonly Value[],
): Value {
  return guarded(declared.call ?? dispatch(declared, overloads))(args);
}

function dispatch(declared: FunctionDeclaration, overloads: readonly Overload[]): Call {
  return (args) => {
    const overload = matching(overloads, args);
    if (overload?.call !== undefined) return overload.call(args);
    const types = args.map((arg) => printTypeName(typeOfValue(arg)));
    return new Failure(`no such overload: ${declared.name}(${types.join(", ")})`);
  };
}

/** Such a cost goes by the name of the function; the last overload has it. */
function costAmong(overloads: readonly Overload[], args: readonly Value[], result: Value): number {
  const overload = overloads.findLast(({ params }) => params.length === args.length);
  return overload?.costNeedsOverload === true ? 1 : (overload?.cost?.(args, result) ?? 1);
}

function matching(overloads: readonly Overload[], args: readonly Value[]): Overload | undefined {
  return overloads.find(
    ({ params, unguarded }) =>
      params.length === args.length &&
      (unguarded === true || params.every((param, index) => admits(param, args[index]!))),
  );
}

/** Functions may throw their errors; here they are values. */
function guarded(call: Call): Call {
  return (args) => {
    try {
      return call(args);
    } catch (error) {
      if (error instanceof EvaluationError) return new Failure(error.message);
      throw error;
    }
  };
}

function* guardedSteps(lengthy: LengthyCall, args: readonly Value[]): Steps {
  try {
    return yield* lengthy.steps(args);
  } catch (error) {
    if (error instanceof EvaluationError) return new Failure(error.message);
    throw error;
  }
}
