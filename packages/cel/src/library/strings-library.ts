import { DYN, INT, listOf, STRING } from "../expression-types/type.ts";
import { formatText } from "../string-format/format-text.ts";
import { FormatError } from "../string-format/format-walk.ts";
import { codePointCount } from "../text/code-points.ts";
import {
  characterAt,
  indexOfText,
  lastIndexOfText,
  lowerAscii,
  quoteText,
  replaceText,
  sliceText,
  splitText,
  trimText,
  upperAscii,
} from "../text/text-operations.ts";
import { withoutStacks } from "../text/without-stacks.ts";
import { stringOf } from "../values/convert.ts";
import { Failure } from "../values/failure.ts";
import { ArrayList } from "../values/list-value.ts";
import type { ListValue, Value } from "../values/value.ts";
import { intAt, listAt, textAt } from "./call-arguments.ts";
import { COPIES_TEXT, READS_TEXT, WALKS_LIST } from "./call-costs.ts";
import type { FunctionDeclaration, Library, Overload } from "./library.ts";
import { JOIN_COSTS, QUOTE_COSTS, REPLACE_COSTS, SPLIT_COSTS } from "./strings-costs.ts";

/** CEL's own extension for texts, as of its version 2: `'a,b'.split(',').join('-')`. */
export const STRINGS_LIBRARY: Library = {
  name: "cel.lib.ext.strings",
  functions: [
    method("charAt", [
      {
        id: "string_char_at_int",
        params: [STRING, INT],
        result: STRING,
        call: (args) => inRange(characterAt(textAt(args, 0), intAt(args, 1)), intAt(args, 1)),
      },
    ]),
    method("indexOf", [
      {
        id: "string_index_of_string",
        params: [STRING, STRING],
        result: INT,
        call: (args) => indexOfText(textAt(args, 0), textAt(args, 1), 0n) ?? -1n,
        ...WALKS_LIST,
      },
      {
        id: "string_index_of_string_int",
        params: [STRING, STRING, INT],
        result: INT,
        call: (args) => {
          const from = intAt(args, 2);
          return inRange(indexOfText(textAt(args, 0), textAt(args, 1), from), from);
        },
        ...WALKS_LIST,
      },
    ]),
    method("lastIndexOf", [
      {
        id: "string_last_index_of_string",
        params: [STRING, STRING],
        result: INT,
        call: (args) => lastIndexOfAll(textAt(args, 0), textAt(args, 1)),
        ...WALKS_LIST,
      },
      {
        id: "string_last_index_of_string_int",
        params: [STRING, STRING, INT],
        result: INT,
        call: (args) => {
          const from = intAt(args, 2);
          return inRange(lastIndexOfText(textAt(args, 0), textAt(args, 1), from), from);
        },
        ...WALKS_LIST,
      },
    ]),
    mapping("lowerAscii", { id: "string_lower_ascii", change: lowerAscii }),
    mapping("upperAscii", { id: "string_upper_ascii", change: upperAscii }),
    mapping("trim", { id: "string_trim", change: trimText }),
    method("replace", [
      {
        id: "string_replace_string_string",
        params: [STRING, STRING, STRING],
        result: STRING,
        call: (args) => replace(args, -1n),
        ...REPLACE_COSTS,
      },
      {
        id: "string_replace_string_string_int",
        params: [STRING, STRING, STRING, INT],
        result: STRING,
        call: (args) => replace(args, intAt(args, 3)),
        ...REPLACE_COSTS,
      },
    ]),
    method("split", [
      {
        id: "string_split_string",
        params: [STRING, STRING],
        result: listOf(STRING),
        call: (args) => split(args, -1n),
        ...SPLIT_COSTS,
      },
      {
        id: "string_split_string_int",
        params: [STRING, STRING, INT],
        result: listOf(STRING),
        call: (args) => split(args, intAt(args, 2)),
        ...SPLIT_COSTS,
      },
    ]),
    method("substring", [
      {
        id: "string_substring_int",
        params: [STRING, INT],
        result: STRING,
        call: (args) => inRange(sliceText(textAt(args, 0), intAt(args, 1)), intAt(args, 1)),
        ...COPIES_TEXT,
      },
      {
        id: "string_substring_int_int",
        params: [STRING, INT, INT],
        result: STRING,
        call: (args) => substring(textAt(args, 0), { start: intAt(args, 1), end: intAt(args, 2) }),
        ...COPIES_TEXT,
      },
    ]),
    method("join", [
      {
        id: "list_join",
        params: [listOf(STRING)],
        result: STRING,
        call: (args) => join(listAt(args, 0), ""),
        ...JOIN_COSTS,
      },
      {
        id: "list_join_string",
        params: [listOf(STRING), STRING],
        result: STRING,
        call: (args) => join(listAt(args, 0), textAt(args, 1)),
        ...JOIN_COSTS,
      },
    ]),
    method("format", [
      {
        id: "string_format",
        params: [STRING, listOf(DYN)],
        result: STRING,
        call: (args) => format(textAt(args, 0), listAt(args, 1)),
        ...READS_TEXT,
      },
    ]),
    {
      name: "strings.quote",
      overloads: [
        {
          id: "strings_quote",
          member: false,
          params: [STRING],
          result: STRING,
          call: (args) => quoteText(textAt(args, 0)),
          ...QUOTE_COSTS,
        },
      ],
    },
  ],
};

function method(name: string, overloads: readonly Omit<Overload, "member">[]): FunctionDeclaration {
  return { name, overloads: overloads.map((overload) => ({ ...overload, member: true })) };
}

function mapping(
  name: string,
  { id, change }: { id: string; change: (text: string) => string },
): FunctionDeclaration {
  const call = (args: readonly Value[]): Value => change(textAt(args, 0));
  return method(name, [{ id, params: [STRING], result: STRING, call, ...COPIES_TEXT }]);
}

function inRange(value: Value | undefined, position: bigint): Value {
  return value ?? new Failure(`index out of range: ${position}`);
}

function lastIndexOfAll(text: string, wanted: string): Value {
  const size = BigInt(codePointCount(text));
  if (wanted === "") return size;
  return text === "" ? -1n : inRange(lastIndexOfText(text, wanted, size - 1n), size - 1n);
}

function substring(text: string, { start, end }: { start: bigint; end: bigint }): Value {
  if (start > end) {
    return new Failure(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (sliceText(text, start) === undefined) return inRange(undefined, start);
  return inRange(sliceText(text, start, end), end);
}

function replace(args: readonly Value[], limit: bigint): Value {
  const text = textAt(args, 0);
  const from = textAt(args, 1);
  const to = textAt(args, 2);
  const finds = Math.ceil((text.length + 1) / Math.max(1, from.length));
  const count = limit >= 0n && limit < BigInt(finds) ? Number(limit) : finds;
  return withinLength(text.length + count * to.length, () =>
    replaceText(text, { from, to, limit }),
  );
}

function split(args: readonly Value[], limit: bigint): Value {
  return new ArrayList(splitText(textAt(args, 0), { separator: textAt(args, 1), limit }));
}

function join(list: ListValue, separator: string): Value {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (typeof element !== "string") return new Failure(`join: invalid input: ${show(element)}`);
    parts.push(element);
    length += element.length + separator.length;
  }
  return withinLength(length, () => parts.join(separator));
}

function show(value: Value): string {
  const text = stringOf(value);
  return typeof text === "string" ? text : "";
}

/** No text of an expression is longer: what would be is refused before it takes the memory. */
const LONGEST_TEXT = 2 ** 28;

function withinLength(length: number, make: () => string): Value {
  if (length <= LONGEST_TEXT) return make();
  return new Failure(`expected a text of at most ${LONGEST_TEXT} characters, got ${length}`);
}

function format(text: string, args: ListValue): Value {
  try {
    return withoutStacks(() => formatText(text, args));
  } catch (error) {
    if (error instanceof FormatError) return new Failure(error.message);
    throw error;
  }
}
