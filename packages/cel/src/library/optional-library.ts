import {
  BOOL,
  DYN,
  INT,
  listOf,
  mapOf,
  optionalOf,
  STRING,
  type Type,
  typeOf,
  typeParam,
} from "../expression-types/type.ts";
import { Failure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import { ArrayList, elementsOf } from "../values/list-value.ts";
import { isOptional, Optional } from "../values/optional-value.ts";
import { TypeValue } from "../values/type-value.ts";
import type { ListValue, Value } from "../values/value.ts";
import { isZeroValue } from "../values/zero-value.ts";
import { listAt } from "./call-arguments.ts";
import type { Library } from "./library.ts";

const KEY: Type = typeParam("K");
const VALUE: Type = typeParam("V");
const OPTIONAL: Type = optionalOf(VALUE);
const LIST: Type = listOf(VALUE);
const MAP: Type = mapOf(KEY, VALUE);

/**
 * Values that may be missing: `optional.of(x)`, `[1].first()`. Selecting, indexing, `or` and `orValue`
 * are only declared: the evaluator does them, as they leave out what is not needed.
 */
export const OPTIONAL_LIBRARY: Library = {
  name: "cel.lib.optional",
  constants: [
    {
      name: "optional_type",
      type: typeOf(optionalOf(DYN)),
      value: new TypeValue(optionalOf(DYN)),
    },
  ],
  functions: [
    {
      name: "optional.of",
      overloads: [
        {
          id: "optional_of",
          member: false,
          params: [VALUE],
          result: OPTIONAL,
          call: ([value]) => new Optional(value),
        },
      ],
    },
    {
      name: "optional.ofNonZeroValue",
      overloads: [
        {
          id: "optional_ofNonZeroValue",
          member: false,
          params: [VALUE],
          result: OPTIONAL,
          call: ([value = null]) => (isZeroValue(value) ? Optional.none : new Optional(value)),
        },
      ],
    },
    {
      name: "optional.none",
      overloads: [
        {
          id: "optional_none",
          member: false,
          params: [],
          result: OPTIONAL,
          call: () => Optional.none,
        },
      ],
    },
    {
      name: "value",
      overloads: [
        {
          id: "optional_value",
          member: true,
          params: [OPTIONAL],
          result: VALUE,
          call: ([optional]) =>
            (optional as Optional).value ?? new Failure("optional.none() dereference"),
        },
      ],
    },
    {
      name: "hasValue",
      overloads: [
        {
          id: "optional_hasValue",
          member: true,
          params: [OPTIONAL],
          result: BOOL,
          call: ([optional]) => (optional as Optional).value !== undefined,
        },
      ],
    },
    {
      name: "first",
      overloads: [
        {
          id: "list_first",
          member: true,
          params: [LIST],
          result: OPTIONAL,
          call: (args) => elementAt(listAt(args, 0), 0),
        },
      ],
    },
    {
      name: "last",
      overloads: [
        {
          id: "list_last",
          member: true,
          params: [LIST],
          result: OPTIONAL,
          call: (args) => elementAt(listAt(args, 0), listAt(args, 0).size - 1),
        },
      ],
    },
    {
      name: "optional.unwrap",
      overloads: [
        {
          id: "optional_unwrap",
          member: false,
          params: [listOf(OPTIONAL)],
          result: LIST,
          call: (args) => unwrap(listAt(args, 0)),
        },
      ],
    },
    {
      name: "unwrapOpt",
      overloads: [
        {
          id: "optional_unwrapOpt",
          member: true,
          params: [listOf(OPTIONAL)],
          result: LIST,
          call: (args) => unwrap(listAt(args, 0)),
        },
      ],
    },
    {
      name: "or",
      overloads: [
        {
          id: "optional_or_optional",
          member: true,
          params: [OPTIONAL, OPTIONAL],
          result: OPTIONAL,
        },
      ],
    },
    {
      name: "orValue",
      overloads: [
        { id: "optional_orValue_value", member: true, params: [OPTIONAL, VALUE], result: VALUE },
      ],
    },
    {
      name: "_?._",
      overloads: [
        { id: "select_optional_field", member: false, params: [DYN, STRING], result: OPTIONAL },
      ],
    },
    {
      name: "_[?_]",
      overloads: [
        { id: "list_optindex_optional_int", member: false, params: [LIST, INT], result: OPTIONAL },
        {
          id: "optional_list_optindex_optional_int",
          member: false,
          params: [optionalOf(LIST), INT],
          result: OPTIONAL,
        },
        { id: "map_optindex_optional_value", member: false, params: [MAP, KEY], result: OPTIONAL },
        {
          id: "optional_map_optindex_optional_value",
          member: false,
          params: [optionalOf(MAP), KEY],
          result: OPTIONAL,
        },
      ],
    },
    {
      name: "_[_]",
      overloads: [
        {
          id: "optional_list_index_int",
          member: false,
          params: [optionalOf(LIST), INT],
          result: OPTIONAL,
        },
        {
          id: "optional_map_index_value",
          member: false,
          params: [optionalOf(MAP), KEY],
          result: OPTIONAL,
        },
      ],
    },
  ],
};

function elementAt(list: ListValue, index: number): Optional {
  return list.size === 0 ? Optional.none : new Optional(list.at(index));
}

function unwrap(list: ListValue): Value {
  const values: Value[] = [];
  for (const element of elementsOf(list)) {
    if (!isOptional(element)) return NO_SUCH_OVERLOAD;
    if (element.value !== undefined) values.push(element.value);
  }
  return new ArrayList(values);
}
