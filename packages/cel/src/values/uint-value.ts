import { type Type, UINT } from "../expression-types/type.ts";
import type { UintValue, Value } from "./value.ts";

/** 0 to 2^64 - 1: the maker has checked. */
export class Uint implements UintValue {
  readonly celType: Type = UINT;
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export function isUint(value: Value): value is Uint {
  return value instanceof Uint;
}
