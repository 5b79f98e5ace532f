import { printTypeName } from "../expression-types/print-type.ts";
import { BYTES, DYN, INT, listOf, STRING, type Type, typeParam } from "../expression-types/type.ts";
import { sortByKeys } from "../lists/sort-by-keys.ts";
import { ValueIndex } from "../lists/value-index.ts";
import { REST_AFTER, type WorkSteps } from "../text/work-steps.ts";
import { Failure } from "../values/failure.ts";
import { ArrayList, isList } from "../values/list-value.ts";
import { typeOfValue } from "../values/type-of-value.ts";
import type { ListValue, Value } from "../values/value.ts";
import { intAt, listAt } from "./call-arguments.ts";
import {
  DISTINCT_COSTS,
  FLATTEN_COSTS,
  RANGE_COSTS,
  REVERSE_COSTS,
  SLICE_COSTS,
  sortCosts,
} from "./ext-lists-costs.ts";
import { deepWork, inSteps } from "./lengthy-call.ts";
import type { Library, Overload } from "./library.ts";
import { COMPARABLE_TYPES } from "./lists-library.ts";

const LIST: Type = listOf(typeParam("T"));
const QUADRATIC = { isQuadratic: true };

/** The functions on lists that are CEL's own extension: `[[1], [2]].flatten()`. */
export const EXT_LISTS_LIBRARY: Library = {
  name: "cel.lib.ext.lists",
  functions: [
    {
      name: "slice",
      overloads: [
        {
          id: "list_slice",
          member: true,
          params: [LIST, INT, INT],
          result: LIST,
          ...inSteps((args) =>
            slice(listAt(args, 0), { start: intAt(args, 1), end: intAt(args, 2) }),
          ),
          ...SLICE_COSTS,
        },
      ],
    },
    {
      name: "flatten",
      ...inSteps(flatten, { work: deepWork }),
      overloads: [
        {
          id: "list_flatten",
          member: true,
          params: [listOf(LIST)],
          result: LIST,
          ...FLATTEN_COSTS,
        },
        {
          id: "list_flatten_int",
          member: true,
          params: [listOf(DYN), INT],
          result: listOf(DYN),
          ...FLATTEN_COSTS,
        },
      ],
    },
    {
      name: "sort",
      ...inSteps(function* ([list = null]) {
        if (isList(list)) return yield* sortByKeys(list, list);
        return new Failure("no such overload: sort");
      }, QUADRATIC),
      overloads: COMPARABLE_TYPES.map(([, type]) => sortOf(type)),
    },
    {
      // What the macro `sortBy` becomes.
      name: "@sortByAssociatedKeys",
      ...inSteps(function* ([list = null, keys = null]) {
        if (isList(list) && isList(keys)) return yield* sortByKeys(list, keys);
        return new Failure("no such overload: @sortByAssociatedKeys");
      }, QUADRATIC),
      overloads: COMPARABLE_TYPES.map(([, type]) => sortByKeysOf(type)),
    },
    {
      name: "lists.range",
      overloads: [
        {
          id: "lists_range",
          member: false,
          params: [INT],
          result: listOf(INT),
          call: (args) => new RangeList(Math.max(0, Number(intAt(args, 0)))),
          ...RANGE_COSTS,
        },
      ],
    },
    {
      name: "reverse",
      overloads: [
        {
          id: "list_reverse",
          member: true,
          params: [LIST],
          result: LIST,
          ...inSteps((args) => reverse(listAt(args, 0))),
          ...REVERSE_COSTS,
        },
      ],
    },
    {
      name: "distinct",
      overloads: [
        {
          id: "list_distinct",
          member: true,
          params: [LIST],
          result: LIST,
          ...inSteps((args) => distinct(listAt(args, 0)), QUADRATIC),
          ...DISTINCT_COSTS,
        },
      ],
    },
  ],
};

function sortOf(type: Type): Overload {
  return {
    id: `list_${printTypeName(type)}_sort`,
    member: true,
    params: [listOf(type)],
    result: listOf(type),
    ...sortCosts({ index: 0, isText: isTextType(type) }),
    costNeedsOverload: true,
  };
}

function sortByKeysOf(type: Type): Overload {
  return {
    id: `list_${printTypeName(type)}_sortByAssociatedKeys`,
    member: true,
    params: [LIST, listOf(type)],
    result: LIST,
    ...sortCosts({ index: 1, isText: isTextType(type) }),
    costNeedsOverload: true,
  };
}

function isTextType(type: Type): boolean {
  return type === STRING || type === BYTES;
}

function* slice(list: ListValue, { start, end }: { start: bigint; end: bigint }): WorkSteps<Value> {
  const problem = (what: string): Failure => new Failure(`cannot slice(${start}, ${end}), ${what}`);
  if (start < 0n || end < 0n) return problem("negative indexes not supported");
  if (start > end) return problem("start index must be less than or equal to end index");
  if (BigInt(list.size) < end) return problem(`list is length ${list.size}`);
  const elements: Value[] = [];
  for (let index = Number(start); index < Number(end); index++) {
    elements.push(list.at(index));
    if (elements.length % REST_AFTER.elements === 0) yield;
  }
  return new ArrayList(elements);
}

function* reverse(list: ListValue): WorkSteps<Value> {
  const elements: Value[] = [];
  for (let index = list.size - 1; index >= 0; index--) {
    elements.push(list.at(index));
    if (elements.length % REST_AFTER.elements === 0) yield;
  }
  return new ArrayList(elements);
}

/** One level where no depth is given. */
function* flatten(args: readonly Value[]): WorkSteps<Value> {
  const [list = null, ...rest] = args;
  const [depth = 1n] = rest;
  if (!isList(list) || typeof depth !== "bigint") {
    const given = rest.map((value) => printTypeName(typeOfValue(value))).join(", ");
    return new Failure(`no such overload: ${printTypeName(typeOfValue(list))}.flatten(${given})`);
  }
  if (depth < 0n) return new Failure("level must be non-negative");
  const flat: Value[] = [];
  yield* appendFlat({ flat, list, depth });
  return new ArrayList(flat);
}

function* appendFlat({
  flat,
  list,
  depth,
}: {
  flat: Value[];
  list: ListValue;
  depth: bigint;
}): WorkSteps<void> {
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (depth > 0n && isList(element)) {
      yield* appendFlat({ flat, list: element, depth: depth - 1n });
    } else flat.push(element);
    if (index % REST_AFTER.elements === REST_AFTER.elements - 1) yield;
  }
}

/** Not written out: the budget is charged for it first. */
class RangeList implements ListValue {
  readonly celType: Type = listOf(INT);
  readonly size: number;

  constructor(size: number) {
    this.size = size;
  }

  at(index: number): bigint {
    return BigInt(index);
  }
}

/** The first of equal ones stay. */
function* distinct(list: ListValue): WorkSteps<Value> {
  const kept: Value[] = [];
  const known = new ValueIndex();
  for (let index = 0; index < list.size; index++) {
    if (index % REST_AFTER.elements === REST_AFTER.elements - 1) yield;
    const element = list.at(index);
    if (known.has(element)) continue;
    known.add(element);
    kept.push(element);
  }
  return new ArrayList(kept);
}
