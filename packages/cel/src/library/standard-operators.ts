import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
  type Type,
  typeParam,
  UINT,
} from "../expression-types/type.ts";
import { REST_AFTER, type WorkSteps } from "../text/work-steps.ts";
import {
  add,
  divide,
  modulo,
  multiply,
  negate,
  subtract,
  unsupported,
} from "../values/arithmetic.ts";
import { compareValues } from "../values/compare.ts";
import { equalOrFailure, isOpaque } from "../values/equality.ts";
import { NO_SUCH_OVERLOAD } from "../values/failure.ts";
import { isList } from "../values/list-value.ts";
import { isMap } from "../values/map-value.ts";
import { isDuration, isTimestamp } from "../values/time-value.ts";
import { isUint } from "../values/uint-value.ts";
import type { Value } from "../values/value.ts";
import { actualSize, STRING_TRAVERSAL_FACTOR, scaleCost, scaleRange } from "./cost-range.ts";
import { inSteps } from "./lengthy-call.ts";
import type { CallEstimate, FunctionDeclaration, Overload, SizedArgument } from "./library.ts";

const A = typeParam("A");
const B = typeParam("B");
const LIST_OF_A = listOf(A);
const MAP_OF_A_B = mapOf(A, B);

/** Named as in cel-go: the evaluator does those without a call itself. */
export const STANDARD_OPERATORS: readonly FunctionDeclaration[] = [
  operator("_?_:_", [overload("conditional", [BOOL, A, A], A)]),
  operator("_&&_", [overload("logical_and", [BOOL, BOOL], BOOL)]),
  operator("_||_", [overload("logical_or", [BOOL, BOOL], BOOL)]),
  operator("@not_strictly_false", [overload("not_strictly_false", [BOOL], BOOL)]),
  unary("!_", [overload("logical_not", [BOOL], BOOL)], (value) =>
    typeof value === "boolean" ? !value : NO_SUCH_OVERLOAD,
  ),
  binary("_==_", [{ ...comparison("equals", A, A), cost: equalityCost }], equalOrFailure),
  binary("_!=_", [comparison("not_equals", A, A)], (a, b) => equalOrFailure(a, b) !== true),
  binary(
    "_+_",
    [
      { ...overload("add_bytes", [BYTES, BYTES], BYTES), cost: joinedCost },
      overload("add_double", [DOUBLE, DOUBLE], DOUBLE),
      overload("add_duration_duration", [DURATION, DURATION], DURATION),
      overload("add_duration_timestamp", [DURATION, TIMESTAMP], TIMESTAMP),
      overload("add_timestamp_duration", [TIMESTAMP, DURATION], TIMESTAMP),
      overload("add_int64", [INT, INT], INT),
      overload("add_list", [LIST_OF_A, LIST_OF_A], LIST_OF_A),
      { ...overload("add_string", [STRING, STRING], STRING), cost: joinedCost },
      overload("add_uint64", [UINT, UINT], UINT),
    ],
    add,
  ),
  binary(
    "_-_",
    [
      overload("subtract_double", [DOUBLE, DOUBLE], DOUBLE),
      overload("subtract_duration_duration", [DURATION, DURATION], DURATION),
      overload("subtract_int64", [INT, INT], INT),
      overload("subtract_timestamp_duration", [TIMESTAMP, DURATION], TIMESTAMP),
      overload("subtract_timestamp_timestamp", [TIMESTAMP, TIMESTAMP], DURATION),
      overload("subtract_uint64", [UINT, UINT], UINT),
    ],
    subtract,
  ),
  binary("_*_", numeric("multiply", [DOUBLE, INT, UINT]), multiply),
  binary("_/_", numeric("divide", [DOUBLE, INT, UINT]), divide),
  binary("_%_", numeric("modulo", [INT, UINT]), modulo),
  unary(
    "-_",
    [overload("negate_double", [DOUBLE], DOUBLE), overload("negate_int64", [INT], INT)],
    negate,
  ),
  ordering("_<_", "less", (order) => order < 0),
  ordering("_<=_", "less_equals", (order) => order <= 0),
  ordering("_>_", "greater", (order) => order > 0),
  ordering("_>=_", "greater_equals", (order) => order >= 0),
  operator("_[_]", [
    overload("index_list", [LIST_OF_A, INT], A),
    overload("index_map", [MAP_OF_A_B, A], B),
  ]),
  {
    name: "@in",
    overloads: [
      {
        ...overload("in_list", [A, LIST_OF_A], BOOL),
        cost: ([, list]) => actualSize(list!),
        estimate: ([, list]) => ({ cost: list!.size }),
      },
      overload("in_map", [A, MAP_OF_A_B], BOOL),
    ],
    ...inSteps(isIn, {
      work: ([, container]) => (isList(container!) ? container.size / 4 : 0),
    }),
  },
];

function* isIn([value = null, container = null]: readonly Value[]): WorkSteps<Value> {
  if (isMap(container)) return container.find(value) !== undefined;
  if (!isList(container)) return NO_SUCH_OVERLOAD;
  let failure: Value = false;
  for (let index = 0; index < container.size; index++) {
    if (index % REST_AFTER.elements === REST_AFTER.elements - 1) yield;
    const equal = equalOrFailure(container.at(index), value);
    if (equal === true) return true;
    if (equal !== false) failure = equal;
  }
  return failure;
}

/** One that the evaluator does itself. */
function operator(name: string, overloads: readonly Overload[]): FunctionDeclaration {
  return { name, overloads };
}

function unary(
  name: string,
  overloads: readonly Overload[],
  apply: (value: Value) => Value,
): FunctionDeclaration {
  return { name, overloads, call: ([value]) => apply(value!) };
}

function binary(
  name: string,
  overloads: readonly Overload[],
  apply: (a: Value, b: Value) => Value,
): FunctionDeclaration {
  return { name, overloads, binary: apply, call: ([a, b]) => apply(a!, b!) };
}

function overload(id: string, params: readonly Type[], result: Type): Overload {
  return { id, member: false, params, result };
}

function numeric(name: string, types: readonly Type[]): readonly Overload[] {
  return types.map((type) => overload(`${name}_${wireName(type)}`, [type, type], type));
}

function ordering(
  name: string,
  id: string,
  holds: (order: number) => boolean,
): FunctionDeclaration {
  const same = [BOOL, INT, UINT, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION].map((type) => {
    const plain = overload(`${id}_${wireName(type)}`, [type, type], BOOL);
    return type === STRING || type === BYTES ? comparison(plain.id, type, type) : plain;
  });
  const numbers = [INT, UINT, DOUBLE];
  const mixed = numbers.flatMap((a) =>
    numbers
      .filter((b) => b !== a)
      .map((b) => overload(`${id}_${wireName(a)}_${wireName(b)}`, [a, b], BOOL)),
  );
  return binary(name, [...same, ...mixed], (a, b) => {
    const order = isOrdered(a) ? compareValues(a, b) : unsupported(a, name);
    return typeof order === "number" ? holds(order) : order;
  });
}

function isOrdered(value: Value): boolean {
  if (typeof value !== "object") return true;
  return (
    value instanceof Uint8Array ||
    (value !== null && (isUint(value) || isTimestamp(value) || isDuration(value)))
  );
}

function wireName(type: Type): string {
  return type === INT || type === UINT ? `${type.kind}64` : type.kind;
}

/** Going through the shorter of two texts. */
function comparison(id: string, a: Type, b: Type): Overload {
  return { ...overload(id, [a, b], BOOL), cost: comparedCost, estimate: comparedEstimate };
}

function comparedCost([a, b]: readonly Value[]): number {
  return scaleCost(Math.min(actualSize(a!), actualSize(b!)), STRING_TRAVERSAL_FACTOR);
}

function equalityCost(args: readonly Value[]): number {
  return isOpaque(args[0]!) ? 1 : comparedCost(args);
}

function comparedEstimate([a, b]: readonly SizedArgument[]): CallEstimate {
  const max = Math.min(a!.size.max, b!.size.max);
  return { cost: scaleRange({ min: max > 0 ? 1 : 0, max }, STRING_TRAVERSAL_FACTOR) };
}

function joinedCost([a, b]: readonly Value[]): number {
  return scaleCost(actualSize(a!) + actualSize(b!), STRING_TRAVERSAL_FACTOR);
}
