import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  STRING,
  TIMESTAMP,
  type Type,
  typeParam,
  UINT,
} from "../expression-types/type.ts";
import { REST_AFTER, type WorkSteps } from "../text/work-steps.ts";
import { compareValues } from "../values/compare.ts";
import { equalValues } from "../values/equality.ts";
import { Failure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import { intOrOverflow, uintOrOverflow } from "../values/int-arithmetic.ts";
import { Duration, isDuration } from "../values/time-value.ts";
import { isUint, Uint } from "../values/uint-value.ts";
import type { ListValue, Value } from "../values/value.ts";
import { listAt } from "./call-arguments.ts";
import { WALKS_LIST } from "./call-costs.ts";
import { inSteps } from "./lengthy-call.ts";
import type { FunctionDeclaration, Library, Overload } from "./library.ts";

/** Types whose values have an order, by the names that overloads carry. */
export const COMPARABLE_TYPES: readonly (readonly [name: string, type: Type])[] = [
  ["int", INT],
  ["uint", UINT],
  ["double", DOUBLE],
  ["bool", BOOL],
  ["duration", DURATION],
  ["timestamp", TIMESTAMP],
  ["string", STRING],
  ["bytes", BYTES],
];

const SUMMABLE_TYPES: readonly (readonly [name: string, type: Type, zero: Value])[] = [
  ["int", INT, 0n],
  ["uint", UINT, new Uint(0n)],
  ["double", DOUBLE, 0],
  ["duration", DURATION, new Duration(0n)],
];

const ANY: Type = typeParam("A");

/** Kubernetes' functions on lists: `[3, 1].max()`. (More are in ext-lists-library.ts.) */
export const LISTS_LIBRARY: Library = {
  name: "kubernetes.lists",
  functions: [
    ofComparable("isSorted", {
      id: (name) => `list_${name}_is_sorted_bool`,
      result: BOOL,
      steps: isSorted,
    }),
    {
      name: "sum",
      overloads: SUMMABLE_TYPES.map(sumOf),
    },
    ofComparable("max", {
      id: (name) => `list_${name}_max_${name}`,
      steps: (list) => extreme(list, { name: "max", isBetter: (order) => order > 0 }),
    }),
    ofComparable("min", {
      id: (name) => `list_${name}_min_${name}`,
      steps: (list) => extreme(list, { name: "min", isBetter: (order) => order < 0 }),
    }),
    {
      name: "indexOf",
      overloads: [
        {
          id: "list_a_index_of_int",
          member: true,
          params: [listOf(ANY), ANY],
          result: INT,
          ...inSteps((args) => indexOf(listAt(args, 0), args[1] ?? null)),
          ...WALKS_LIST,
        },
      ],
    },
    {
      name: "lastIndexOf",
      overloads: [
        {
          id: "list_a_last_index_of_int",
          member: true,
          params: [listOf(ANY), ANY],
          result: INT,
          ...inSteps((args) => lastIndexOf(listAt(args, 0), args[1] ?? null)),
          ...WALKS_LIST,
        },
      ],
    },
  ],
};

interface ComparableFunction {
  readonly id: (typeName: string) => string;
  readonly steps: (list: ListValue) => WorkSteps<Value>;
  /** Default: that of the elements. */
  readonly result?: Type;
}

function ofComparable(name: string, declared: ComparableFunction): FunctionDeclaration {
  const overloadOf = ([typeName, type]: readonly [string, Type]): Overload => ({
    id: declared.id(typeName),
    member: true,
    params: [listOf(type)],
    result: declared.result ?? type,
    ...inSteps((args) => declared.steps(listAt(args, 0))),
    ...WALKS_LIST,
  });
  return { name, overloads: COMPARABLE_TYPES.map(overloadOf) };
}

function sumOf([name, type, zero]: readonly [string, Type, Value]): Overload {
  return {
    id: `list_${name}_sum_${name}`,
    member: true,
    params: [listOf(type)],
    result: type,
    ...inSteps((args) => sum(listAt(args, 0), zero)),
    ...WALKS_LIST,
  };
}

/** Values that cannot be compared are in order. */
function* isSorted(list: ListValue): WorkSteps<boolean> {
  for (let index = 1; index < list.size; index++) {
    const order = compareValues(list.at(index - 1), list.at(index));
    if (typeof order === "number" && order > 0) return false;
    if (index % REST_AFTER.elements === 0) yield;
  }
  return true;
}

function* extreme(
  list: ListValue,
  { name, isBetter }: { name: string; isBetter: (order: number) => boolean },
): WorkSteps<Value> {
  let best: Value | undefined;
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    const order = best === undefined ? 0 : compareValues(element, best);
    if (best === undefined || (typeof order === "number" && isBetter(order))) best = element;
    if (index % REST_AFTER.elements === REST_AFTER.elements - 1) yield;
  }
  return best === undefined ? new Failure(`${name} called on empty list`) : best;
}

function* sum(list: ListValue, zero: Value): WorkSteps<Value> {
  let total: Value = zero;
  for (let index = 0; index < list.size; index++) {
    total = add(total, list.at(index));
    if (total instanceof Failure) return total;
    if (index % REST_AFTER.elements === REST_AFTER.elements - 1) yield;
  }
  return total;
}

function add(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (typeof a === "bigint" && typeof b === "bigint") return intOrOverflow(a + b);
  if (isUint(a) && isUint(b)) return uintOrOverflow(a.value + b.value);
  if (isDuration(a) && isDuration(b)) return addDurations(a, b);
  return NO_SUCH_OVERLOAD;
}

function addDurations(a: Duration, b: Duration): Value {
  const total = intOrOverflow(a.nanoseconds + b.nanoseconds);
  return total instanceof Failure ? total : new Duration(total);
}

function* indexOf(list: ListValue, wanted: Value): WorkSteps<bigint> {
  for (let index = 0; index < list.size; index++) {
    if (equalValues(list.at(index), wanted)) return BigInt(index);
    if (index % REST_AFTER.elements === REST_AFTER.elements - 1) yield;
  }
  return -1n;
}

function* lastIndexOf(list: ListValue, wanted: Value): WorkSteps<bigint> {
  for (let index = list.size - 1; index >= 0; index--) {
    if (equalValues(list.at(index), wanted)) return BigInt(index);
    if (index % REST_AFTER.elements === 0) yield;
  }
  return -1n;
}
