import { EvaluationError } from "../evaluation-error.ts";
import type { FunctionDeclaration, Overload } from "../library/library.ts";
import { printTypeName } from "../types/print-type.ts";
import { Failure, isFailure } from "../values/failure.ts";
import { typeOfValue } from "../values/type-of-value.ts";
import type { Value } from "../values/value.ts";
import { type Node, strictNode } from "./node.ts";
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
  const call = guarded(declared.call ?? dispatch(declared, only === undefined ? overloads : [only]));
  const costOf = only?.cost;
  return strictNode(
    args,
    (values, frame) => {
      if (eager) {
        for (const value of values) {
          if (!isFailure(value)) continue;
          frame.charge(1);
          return value;
        }
      }
      const result = call(values);
      if (costOf !== undefined) frame.charge(costOf(values, result));
      else frame.charge(standard || only !== undefined ? 1 : costAmong(overloads, values, result));
      return result;
    },
    eager,
  );
}

/** Calls a function outside of any evaluation: literals when compiling. */
export function callNow(declared: FunctionDeclaration, overloads: readonly Overload[], args: readonly Value[]): Value {
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

function costAmong(overloads: readonly Overload[], args: readonly Value[], result: Value): number {
  const overload = matching(overloads, args);
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
