import type { Type } from "../expression-types/type.ts";
import type { FormatVerb } from "./format-walk.ts";

type Kind = Type["kind"];

interface VerbRule {
  readonly kinds: readonly Kind[];
  /** What is said of another kind, before its name. */
  readonly refusal: string;
}

const HEX: VerbRule = {
  kinds: ["bytes", "int", "string", "uint"],
  refusal: "only integers, byte buffers, and strings can be formatted as hex",
};

/** Which kinds of values a clause takes. */
export const FORMAT_RULES: Readonly<Record<FormatVerb, VerbRule>> = {
  b: {
    kinds: ["bool", "int", "uint"],
    refusal: "only integers and bools can be formatted as binary",
  },
  d: { kinds: ["int", "uint"], refusal: "decimal clause can only be used on integers" },
  // Text stands for the doubles that have no literal: "NaN", "Infinity", "-Infinity".
  e: { kinds: ["double", "string"], refusal: "scientific clause can only be used on doubles" },
  f: { kinds: ["double", "string"], refusal: "fixed-point clause can only be used on doubles" },
  o: { kinds: ["int", "uint"], refusal: "octal clause can only be used on integers" },
  s: {
    kinds: [
      "bool",
      "bytes",
      "double",
      "duration",
      "int",
      "list",
      "map",
      "null",
      "string",
      "timestamp",
      "type",
      "uint",
    ],
    refusal:
      "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  },
  X: HEX,
  x: HEX,
};
