/** Nodes of operators that are not calls: they look at errors, or at only some of their operands. */

import {
  actualSize,
  REGEX_LENGTH_FACTOR,
  STRING_TRAVERSAL_FACTOR,
  scaleCost,
} from "../library/cost-range.ts";
import type { Pattern } from "../text/pattern.ts";
import { WORK_PER_SLICE } from "../text/work-steps.ts";
import { unsupported } from "../values/arithmetic.ts";
import { equalValues } from "../values/equality.ts";
import { isFailure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import { elementsOf } from "../values/list-value.ts";
import { isOptional } from "../values/optional-value.ts";
import type { ListValue, Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";
import { type Node, type Steps, stepsOf, strictNode } from "./node.ts";

/** False when one operand is, whatever the other. */
export function andNode(operands: readonly Node[]): Node {
  return logicNode(operands, false);
}

/** True when one operand is, whatever the other. */
export function orNode(operands: readonly Node[]): Node {
  return logicNode(operands, true);
}

function logicNode([left, right]: readonly Node[], decisive: boolean): Node {
  const join = (first: Value, second: Value): Value => {
    if (second === decisive) return decisive;
    if (typeof first !== "boolean") return isFailure(first) ? first : NO_SUCH_OVERLOAD;
    if (typeof second === "boolean") return second;
    return isFailure(second) ? second : NO_SUCH_OVERLOAD;
  };
  const run = (frame: Frame): Value => {
    const first = left!.run(frame);
    return first === decisive ? decisive : join(first, right!.run(frame));
  };
  if (left?.steps === undefined && right?.steps === undefined) return { run };
  function* steps(frame: Frame): Steps {
    const first = yield* stepsOf(left!, frame);
    return first === decisive ? decisive : join(first, yield* stepsOf(right!, frame));
  }
  return { run, steps };
}

/** True for all but false, errors included. */
export function notFalseNode(operand: Node): Node {
  const run = (frame: Frame): Value => {
    const value = operand.run(frame);
    frame.charge(1);
    return typeof value === "boolean" ? value : true;
  };
  if (operand.steps === undefined) return { run };
  function* steps(frame: Frame): Steps {
    const value = yield* stepsOf(operand, frame);
    frame.charge(1);
    return typeof value === "boolean" ? value : true;
  }
  return { run, steps };
}

/** `a.or(b)` and, with `unwrap`, `a.orValue(b)`: the second only where the first has no value. */
export function orElseNode([first, second]: readonly Node[], unwrap: boolean): Node {
  const chosen = (value: Value): Value | undefined => {
    if (!isOptional(value)) return value;
    if (value.value === undefined) return undefined;
    return unwrap ? value.value : value;
  };
  // Null is a value too.
  const run = (frame: Frame): Value => {
    const value = chosen(first!.run(frame));
    return value === undefined ? second!.run(frame) : value;
  };
  if (first?.steps === undefined && second?.steps === undefined) return { run };
  function* steps(frame: Frame): Steps {
    const value = chosen(yield* stepsOf(first!, frame));
    return value === undefined ? yield* stepsOf(second!, frame) : value;
  }
  return { run, steps };
}

/** Whether the value is one of a list of literals. */
export function memberOfNode(value: Node, list: ListValue): Node {
  const texts = new Set<Value>();
  const others: Value[] = [];
  for (const element of elementsOf(list)) {
    if (typeof element === "string") texts.add(element);
    else others.push(element);
  }
  return strictNode([value], ([found]) => {
    if (typeof found === "string") return texts.has(found);
    return others.some((other) => equalValues(other, found!));
  });
}

/** `value.matches("literal")`. */
export function matchingNode(options: {
  readonly value: Node;
  readonly pattern: Value;
  readonly compiled: Pattern | undefined;
  readonly global: boolean;
}): Node {
  const { value, pattern, compiled, global } = options;
  const patternCost = scaleCost(actualSize(pattern), REGEX_LENGTH_FACTOR);
  /** The answer, where the text need not be searched for it. */
  const prepare = (text: Value, frame: Frame): Value | undefined => {
    const cost = global
      ? 1
      : scaleCost(1 + actualSize(text), STRING_TRAVERSAL_FACTOR) * patternCost;
    frame.charge(cost);
    if (typeof text !== "string") return unsupported(text, "matches");
    if (compiled === undefined) return NO_SUCH_OVERLOAD;
    frame.spend(compiled.work(text));
    return undefined;
  };
  const finish = ([text]: readonly Value[], frame: Frame): Value =>
    prepare(text!, frame) ?? compiled!.test(text as string);
  function* finishInSteps([text]: readonly Value[], frame: Frame): Steps {
    const answer = prepare(text!, frame);
    if (answer !== undefined) return answer;
    const isLong = compiled!.work(text as string) > WORK_PER_SLICE;
    const found = isLong
      ? yield* compiled!.testInSteps(text as string)
      : compiled!.test(text as string);
    if (frame.needsPause) {
      yield;
      frame.paused();
    }
    return found;
  }
  return strictNode([value], finish, { finishInSteps });
}
