import { listOf, opaque, optionalOf, STRING, type Type } from "../expression-types/type.ts";
import { NAMED_FORMATS, type NamedFormat } from "../named-format/named-format.ts";
import { type Failure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import { ArrayList } from "../values/list-value.ts";
import { Optional } from "../values/optional-value.ts";
import type { OpaqueValue, Value } from "../values/value.ts";
import { textAt } from "./call-arguments.ts";
import { matchCost } from "./call-costs.ts";
import {
  actualSize,
  REGEX_LENGTH_FACTOR,
  STRING_TRAVERSAL_FACTOR,
  scaleRange,
  sizeOfArgument,
} from "./cost-range.ts";
import type { FunctionDeclaration, Library } from "./library.ts";

const FORMAT_TYPE: Type = opaque("kubernetes.NamedFormat");

/** What estimates take the pattern of any format to be. */
const ESTIMATED_PATTERN_LENGTH = 128;

class FormatValue implements OpaqueValue {
  readonly celType: Type = FORMAT_TYPE;
  readonly format: NamedFormat;

  constructor(format: NamedFormat) {
    this.format = format;
  }

  equals(other: Value): boolean | Failure {
    if (!(other instanceof FormatValue)) return NO_SUCH_OVERLOAD;
    return this.format.name === other.format.name;
  }
}

/** `format.dns1123Label().validate(name)`: nothing, or a list of what is wrong. */
export const FORMAT_LIBRARY: Library = {
  name: "kubernetes.format",
  functions: [
    {
      name: "format.named",
      overloads: [
        {
          id: "format-named",
          member: false,
          params: [STRING],
          result: optionalOf(FORMAT_TYPE),
          call: (args) => {
            const format = NAMED_FORMATS.get(textAt(args, 0));
            return format === undefined ? Optional.none : new Optional(new FormatValue(format));
          },
        },
      ],
    },
    {
      name: "validate",
      overloads: [
        {
          id: "format-validate",
          member: true,
          params: [FORMAT_TYPE, STRING],
          result: optionalOf(listOf(STRING)),
          call: (args) => {
            const problems = formatAt(args).check(textAt(args, 1));
            return problems.length === 0 ? Optional.none : new Optional(new ArrayList(problems));
          },
          estimate: (args) => {
            const text = scaleRange(sizeOfArgument(args, 1), STRING_TRAVERSAL_FACTOR);
            return { cost: scaleRange(text, ESTIMATED_PATTERN_LENGTH * REGEX_LENGTH_FACTOR) };
          },
          cost: ([format, text = null]) =>
            format instanceof FormatValue
              ? matchCost(actualSize(text), format.format.patternLength)
              : 1,
        },
      ],
    },
    ...Array.from(NAMED_FORMATS, ([name, format]) => constant(`format.${name}`, format)),
  ],
};

function constant(name: string, format: NamedFormat): FunctionDeclaration {
  const value = new FormatValue(format);
  const call = (): Value => value;
  return { name, overloads: [{ id: name, member: false, params: [], result: FORMAT_TYPE, call }] };
}

function formatAt(args: readonly Value[]): NamedFormat {
  return (args[0] as FormatValue).format;
}
