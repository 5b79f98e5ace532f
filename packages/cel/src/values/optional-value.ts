import { DYN, optionalOf, type Type } from "../expression-types/type.ts";
import type { ObjectValue, Value } from "./value.ts";

const OPTIONAL: Type = optionalOf(DYN);

/** `optional.of(x)`, or `optional.none()` where there is no value. */
export class Optional implements ObjectValue {
  static readonly none: Optional = new Optional(undefined);
  readonly celType: Type = OPTIONAL;
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

export function isOptional(value: Value): value is Optional {
  return value instanceof Optional;
}
