import { isFailure } from "../values/failure.ts";
import type { Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";

/** An evaluation that stops now and then, so that its caller can do something else meanwhile. */
export type Steps = Generator<undefined, Value, undefined>;

/** A planned expression: what the tree became, once, to be run many times. */
export interface Node {
  /** Gives a Failure for an error; throws only when the cost is too high. */
  run(frame: Frame): Value;
  /** The same in steps; only where there is a loop or a lengthy call inside, for all else takes no time. */
  readonly steps?: ((frame: Frame) => Steps) | undefined;
  /** The value, where it is the same every time. */
  readonly constant?: Value;
}

export function constantNode(value: Value): Node {
  return { run: () => value, constant: value };
}

export function* stepsOf(node: Node, frame: Frame): Steps {
  return node.steps === undefined ? node.run(frame) : yield* node.steps(frame);
}

export interface StrictNodeOptions {
  /** Which failures of parts `finish` sees; another is the value at once. Default: none. */
  readonly sees?: "none" | "last" | "all";
  /** What a failure costs that `finish` does not see. */
  readonly failureCost?: number;
  /** The same as `finish`, in steps. */
  readonly finishInSteps?: ((values: readonly Value[], frame: Frame) => Steps) | undefined;
}

/** A node that computes its parts in order and then something with them. */
export function strictNode(
  parts: readonly Node[],
  finish: (values: readonly Value[], frame: Frame) => Value,
  { sees = "none", failureCost = 0, finishInSteps }: StrictNodeOptions = {},
): Node {
  const seenFrom = { none: parts.length, last: parts.length - 1, all: 0 }[sees];
  const failed = (failure: Value, frame: Frame): Value => {
    frame.charge(failureCost);
    return failure;
  };
  const run = (frame: Frame): Value => {
    const values: Value[] = [];
    for (let index = 0; index < parts.length; index += 1) {
      const value = parts[index]!.run(frame);
      if (index < seenFrom && isFailure(value)) return failed(value, frame);
      values.push(value);
    }
    return finish(values, frame);
  };
  const isQuick = finishInSteps === undefined && parts.every((part) => part.steps === undefined);
  if (isQuick) return { run };
  function* steps(frame: Frame): Steps {
    const values: Value[] = [];
    for (const part of parts) {
      const value = part.steps === undefined ? part.run(frame) : yield* part.steps(frame);
      if (values.length < seenFrom && isFailure(value)) return failed(value, frame);
      values.push(value);
    }
    return finishInSteps === undefined
      ? finish(values, frame)
      : yield* finishInSteps(values, frame);
  }
  return { run, steps };
}
