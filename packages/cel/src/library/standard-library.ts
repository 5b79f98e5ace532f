/**
 * What every CEL expression may use: operators, conversions, texts, times, and the names of types.
 * The other libraries sit beside it; `kubernetes-libraries.ts` lists them.
 */
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  typeParam,
  UINT,
} from "../expression-types/type.ts";
import { TypeValue } from "../values/type-value.ts";
import type { Library } from "./library.ts";
import { STANDARD_CONVERSIONS } from "./standard-conversions.ts";
import { STANDARD_OPERATORS } from "./standard-operators.ts";
import { STANDARD_TEXTS } from "./standard-texts.ts";
import { STANDARD_TIMES } from "./standard-times.ts";

const TYPES: Readonly<Record<string, Type>> = {
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  "google.protobuf.Duration": DURATION,
  int: INT,
  list: listOf(typeParam("A")),
  map: mapOf(typeParam("A"), typeParam("B")),
  null_type: NULL,
  string: STRING,
  "google.protobuf.Timestamp": TIMESTAMP,
  type: typeOf(undefined),
  uint: UINT,
};

export const STANDARD_LIBRARY: Library = {
  name: "standard",
  functions: [...STANDARD_OPERATORS, ...STANDARD_CONVERSIONS, ...STANDARD_TEXTS, ...STANDARD_TIMES],
  constants: Object.entries(TYPES).map(([name, type]) => ({
    name,
    type: typeOf(type),
    value: new TypeValue(type),
  })),
};
