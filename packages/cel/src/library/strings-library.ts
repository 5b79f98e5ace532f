import { DYN, INT, listOf, STRING } from "../expression-types/type.ts";
import { formatText, printContainers } from "../string-format/format-text.ts";
import { FormatError } from "../string-format/format-walk.ts";
import { codePointCount } from "../text/code-points.ts";
import {
  characterAt,
  indexOfText,
  joinTexts,
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
import { REST_AFTER, type WorkSteps } from "../text/work-steps.ts";
import { stringOf } from "../values/convert.ts";
import { Failure } from "../values/failure.ts";
import { ArrayList } from "../values/list-value.ts";
import type { ListValue, Value } from "../values/value.ts";
import { intAt, listAt, textAt } from "./call-arguments.ts";
import { COPIES_TEXT, READS_TEXT, WALKS_LIST } from "./call-costs.ts";
import { deepWork, inSteps } from "./lengthy-call.ts";
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
        ...inSteps(function* (args) {
          return (yield* indexOfText(textAt(args, 0), textAt(args, 1), 0n)) ?? -1n;
        }),
        ...WALKS_LIST,
      },
      {
        id: "string_index_of_string_int",
        params: [STRING, STRING, INT],
        result: INT,
        ...inSteps(function* (args) {
          const from = intAt(args, 2);
          return inRange(yield* indexOfText(textAt(args, 0), textAt(args, 1), from), from);
        }),
        ...WALKS_LIST,
      },
    ]),
    method("lastIndexOf", [
      {
        id: "string_last_index_of_string",
        params: [STRING, STRING],
        result: INT,
        ...inSteps((args) => lastIndexOfAll(textAt(args, 0), textAt(args, 1))),
        ...WALKS_LIST,
      },
      {
        id: "string_last_index_of_string_int",
        params: [STRING, STRING, INT],
        result: INT,
        ...inSteps(function* (args) {
          const from = intAt(args, 2);
          return inRange(yield* lastIndexOfText(textAt(args, 0), textAt(args, 1), from), from);
        }),
        ...WALKS_LIST,
      },
    ]),
    mapping("lowerAscii", { id: "string_lower_ascii", change: lowerAscii }),
    mapping("upperAscii", { id: "string_upper_ascii", change: upperAscii }),
    method("trim", [
      {
        id: "string_trim",
        params: [STRING],
        result: STRING,
        call: (args) => trimText(textAt(args, 0)),
        ...COPIES_TEXT,
      },
    ]),
    method("replace", [
      {
        id: "string_replace_string_string",
        params: [STRING, STRING, STRING],
        result: STRING,
        ...inSteps((args) => replace(args, -1n)),
        ...REPLACE_COSTS,
      },
      {
        id: "string_replace_string_string_int",
        params: [STRING, STRING, STRING, INT],
        result: STRING,
        ...inSteps((args) => replace(args, intAt(args, 3))),
        ...REPLACE_COSTS,
      },
    ]),
    method("split", [
      {
        id: "string_split_string",
        params: [STRING, STRING],
        result: listOf(STRING),
        ...inSteps((args) => split(args, -1n)),
        ...SPLIT_COSTS,
      },
      {
        id: "string_split_string_int",
        params: [STRING, STRING, INT],
        result: listOf(STRING),
        ...inSteps((args) => split(args, intAt(args, 2))),
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
        ...inSteps((args) => join(listAt(args, 0), "")),
        ...JOIN_COSTS,
      },
      {
        id: "list_join_string",
        params: [listOf(STRING), STRING],
        result: STRING,
        ...inSteps((args) => join(listAt(args, 0), textAt(args, 1))),
        ...JOIN_COSTS,
      },
    ]),
    method("format", [
      {
        id: "string_format",
        params: [STRING, listOf(DYN)],
        result: STRING,
        ...inSteps((args) => format(textAt(args, 0), listAt(args, 1)), { work: deepWork }),
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
          ...inSteps((args) => quoteText(textAt(args, 0))),
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
  { id, change }: { id: string; change: (text: string) => WorkSteps<string> },
): FunctionDeclaration {
  const calls = inSteps((args) => change(textAt(args, 0)));
  return method(name, [{ id, params: [STRING], result: STRING, ...calls, ...COPIES_TEXT }]);
}

function inRange(value: Value | undefined, position: bigint): Value {
  return value ?? new Failure(`index out of range: ${position}`);
}

function* lastIndexOfAll(text: string, wanted: string): WorkSteps<Value> {
  const size = BigInt(codePointCount(text));
  if (wanted === "") return size;
  if (text === "") return -1n;
  return inRange(yield* lastIndexOfText(text, wanted, size - 1n), size - 1n);
}

function substring(text: string, { start, end }: { start: bigint; end: bigint }): Value {
  if (start > end) {
    return new Failure(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (sliceText(text, start) === undefined) return inRange(undefined, start);
  return inRange(sliceText(text, start, end), end);
}

function* replace(args: readonly Value[], limit: bigint): WorkSteps<Value> {
  const text = textAt(args, 0);
  const from = textAt(args, 1);
  const to = textAt(args, 2);
  const finds = Math.ceil((text.length + 1) / Math.max(1, from.length));
  const count = limit >= 0n && limit < BigInt(finds) ? Number(limit) : finds;
  const tooLong = refusedLength(text.length + count * to.length);
  return tooLong ?? (yield* replaceText(text, { from, to, limit }));
}

function* split(args: readonly Value[], limit: bigint): WorkSteps<Value> {
  const separator = textAt(args, 1);
  return new ArrayList(yield* splitText(textAt(args, 0), { separator, limit }));
}

function* join(list: ListValue, separator: string): WorkSteps<Value> {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (typeof element !== "string") return new Failure(`join: invalid input: ${show(element)}`);
    parts.push(element);
    length += element.length + separator.length;
    if (parts.length % REST_AFTER.elements === 0) yield;
  }
  return refusedLength(length) ?? (yield* joinTexts(parts, separator));
}

function show(value: Value): string {
  const text = stringOf(value);
  return typeof text === "string" ? text : "";
}

/** No text of an expression is longer: what would be is refused before it takes the memory. */
const LONGEST_TEXT = 2 ** 28;

function refusedLength(length: number): Failure | undefined {
  if (length <= LONGEST_TEXT) return undefined;
  return new Failure(`expected a text of at most ${LONGEST_TEXT} characters, got ${length}`);
}

function* format(text: string, args: ListValue): WorkSteps<Value> {
  try {
    const printed = yield* printContainers(args);
    return withoutStacks(() => formatText(text, args, printed));
  } catch (error) {
    if (error instanceof FormatError) return new Failure(error.message);
    throw error;
  }
}
