import { printTypeName } from "../expression-types/print-type.ts";
import { INT, listOf, STRING } from "../expression-types/type.ts";
import { compilePattern, type Pattern, PatternError } from "../text/pattern.ts";
import type { WorkSteps } from "../text/work-steps.ts";
import { Failure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import { ArrayList } from "../values/list-value.ts";
import { typeOfValue } from "../values/type-of-value.ts";
import type { Value } from "../values/value.ts";
import { MATCHES_PATTERN } from "./call-costs.ts";
import type { Library } from "./library.ts";
import { searchWork } from "./standard-texts.ts";

/** `'abc 123'.find('[0-9]+')`, and all matches, at most so many where a limit of 0 or more is given. */
export const REGEX_LIBRARY: Library = {
  name: "kubernetes.regex",
  functions: [
    {
      name: "find",
      call: (args) => search("find", args),
      lengthy: { work: searchWork, steps: (args) => searchInSteps("find", args) },
      overloads: [
        {
          id: "string_find_string",
          member: true,
          params: [STRING, STRING],
          result: STRING,
          ...MATCHES_PATTERN,
        },
      ],
    },
    {
      name: "findAll",
      call: (args) => search("findAll", args),
      lengthy: { work: findAllWork, steps: (args) => searchInSteps("findAll", args) },
      overloads: [
        {
          id: "string_find_all_string",
          member: true,
          params: [STRING, STRING],
          result: listOf(STRING),
          ...MATCHES_PATTERN,
        },
        {
          id: "string_find_all_string_int",
          member: true,
          params: [STRING, STRING, INT],
          result: listOf(STRING),
          ...MATCHES_PATTERN,
        },
      ],
    },
  ],
};

function search(name: "find" | "findAll", args: readonly Value[]): Value {
  const asked = readSearch(name, args);
  if (asked instanceof Failure) return asked;
  const { pattern, text, limit } = asked;
  return name === "find" ? pattern.find(text) : new ArrayList(pattern.findAll(text, limit));
}

function* searchInSteps(name: "find" | "findAll", args: readonly Value[]): WorkSteps<Value> {
  const asked = readSearch(name, args);
  if (asked instanceof Failure) return asked;
  const { pattern, text, limit } = asked;
  if (name === "find") return yield* pattern.findInSteps(text);
  return new ArrayList(yield* pattern.findAllInSteps(text, limit));
}

/** What is found takes a while too. */
function findAllWork(args: readonly Value[]): number {
  const [text] = args;
  const length = typeof text === "string" ? text.length : 0;
  return Math.max(searchWork(args), length / FOUND_PER_MICROSECOND);
}

const FOUND_PER_MICROSECOND = 20;

interface Search {
  readonly pattern: Pattern;
  readonly text: string;
  readonly limit: number | undefined;
}

/**
 * Compiled patterns, which nearly all are, refuse what is no text without naming the types; only
 * patterns that are no text themselves are refused with them.
 */
function readSearch(name: string, args: readonly Value[]): Failure | Search {
  const [text, pattern, count = -1n] = args;
  if (typeof pattern !== "string") {
    const types = args.map((arg) => printTypeName(typeOfValue(arg))).join(", ");
    return new Failure(`no such overload: ${name}(${types})`);
  }
  if (typeof text !== "string" || typeof count !== "bigint") return NO_SUCH_OVERLOAD;
  try {
    const limit = count < 0n ? undefined : Number(count);
    return { pattern: compilePattern(pattern), text, limit };
  } catch (error) {
    if (error instanceof PatternError) return new Failure(`Illegal regex: ${error.message}`);
    throw error;
  }
}
