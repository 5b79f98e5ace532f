import { printTypeName } from "../expression-types/print-type.ts";
import { type Type, typeOf } from "../expression-types/type.ts";

import type { ObjectValue, Value } from "./value.ts";

/** A type as a value: what `type(x)` and the name `int` give. Equal when the names are. */
export class TypeValue implements ObjectValue {
  readonly celType: Type;
  readonly typeName: string;

  constructor(type: Type) {
    this.celType = typeOf(type);
    this.typeName = printTypeName(type);
  }
}

export function isTypeValue(value: Value): value is TypeValue {
  return value instanceof TypeValue;
}
