import { printTypeName } from "../expression-types/print-type.ts";
import { INT, listOf, STRING } from "../expression-types/type.ts";
import { compilePattern, PatternError } from "../text/pattern.ts";
import { Failure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import { ArrayList } from "../values/list-value.ts";
import { typeOfValue } from "../values/type-of-value.ts";
import type { Value } from "../values/value.ts";
import { MATCHES_PATTERN } from "./call-costs.ts";
import type { Library } from "./library.ts";

/** `'abc 123'.find('[0-9]+')`, and all matches, at most so many where a limit of 0 or more is given. */
export const REGEX_LIBRARY: Library = {
  name: "kubernetes.regex",
  functions: [
    {
      name: "find",
      call: (args) => search("find", args),
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

/**
 * Compiled patterns, which nearly all are, refuse what is no text without naming the types; only
 * patterns that are no text themselves are refused with them.
 */
function search(name: "find" | "findAll", args: readonly Value[]): Value {
  const [text, pattern, count = -1n] = args;
  if (typeof pattern !== "string") {
    const types = args.map((arg) => printTypeName(typeOfValue(arg))).join(", ");
    return new Failure(`no such overload: ${name}(${types})`);
  }
  if (typeof text !== "string" || typeof count !== "bigint") return NO_SUCH_OVERLOAD;
  try {
    const compiled = compilePattern(pattern);
    if (name === "find") return compiled.find(text);
    return new ArrayList(compiled.findAll(text, count < 0n ? undefined : Number(count)));
  } catch (error) {
    if (error instanceof PatternError) return new Failure(`Illegal regex: ${error.message}`);
    throw error;
  }
}
