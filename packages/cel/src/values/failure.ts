import { ERROR, type Type } from "../expression-types/type.ts";
import type { ObjectValue, Value } from "./value.ts";

/**
 * An error as a value: what `&&`, `||` and quantifiers may absorb. A function of a library may return
 * one instead of throwing EvaluationError (throwing collects a stack, which a loop over a large list
 * would pay for every element). Never an argument of a function, never inside a list or map.
 */
export class Failure implements ObjectValue {
  readonly celType: Type = ERROR;
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export function isFailure(value: Value): value is Failure {
  return typeof value === "object" && value instanceof Failure;
}

export const NO_SUCH_OVERLOAD: Failure = new Failure("no such overload");
