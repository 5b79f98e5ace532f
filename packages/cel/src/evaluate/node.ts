import { isFailure } from "../values/failure.ts";
import type { Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";

/** An evaluation that stops now and then, so that its caller can do something else meanwhile. */
export type Steps = Generator<undefined, Value, undefined>;

/** A planned expression: what the tree became, once, to be run many times. */
export interface Node {
  /** Gives a Failure for an error; throws only when the cost is too high. */
  run(frame: Frame): Value;
  /** The same in steps; only where there is a loop inside, for all else takes no time. */
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
  /** All parts are computed even when one failed, and `finish` sees failures. */
  readonly eager?: boolean;
  /** What a failed part costs. */
  readonly failureCost?: number;
  /** What it costs when the last part failed. */
  readonly lastFailureCost?: number;
}

/**
 * A node that computes its parts in order and then something with them. The first failure of a part
 * is the value, unless `eager`.
 */
export function strictNode(
  parts: readonly Node[],
  finish: (values: readonly Value[], frame: Frame) => Value,
  { eager = false, failureCost = 0, lastFailureCost = failureCost }: StrictNodeOptions = {},
): Node {
  const failed = (failure: Value, index: number, frame: Frame): Value => {
    frame.charge(index === parts.length - 1 ? lastFailureCost : failureCost);
    return failure;
  };
  const run = (frame: Frame): Value => {
    const values: Value[] = [];
    for (let index = 0; index < parts.length; index += 1) {
      const value = parts[index]!.run(frame);
      if (!eager && isFailure(value)) return failed(value, index, frame);
      values.push(value);
    }
    return finish(values, frame);
  };
  if (parts.every((part) => part.steps === undefined)) return { run };
  function* steps(frame: Frame): Steps {
    const values: Value[] = [];
    for (const part of parts) {
      const value = part.steps === undefined ? part.run(frame) : yield* part.steps(frame);
      if (!eager && isFailure(value)) return failed(value, values.length, frame);
      values.push(value);
    }
    return finish(values, frame);
  }
  return { run, steps };
}
