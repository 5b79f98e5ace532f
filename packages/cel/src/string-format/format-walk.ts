/**
 * `"%s is %d".format([a, b])`: here its clauses are found and handed out in order, for printing at
 * run time and for checking a literal format before. Both see the same mistakes in the same order.
 */
import { goQuote } from "../text/go-quote.ts";

export interface FormatClause {
  readonly verb: FormatVerb;
  readonly precision: number | undefined;
}

export type FormatVerb = "X" | "b" | "d" | "e" | "f" | "o" | "s" | "x";

export interface FormatReader {
  readonly count: number;
  /** Told of every clause before it is read: an argument is needed. May throw FormatError. */
  take(index: number): void;
  /** Throws FormatError. */
  print(index: number, clause: FormatClause): string;
}

/** What is wrong with a format or an argument of it. */
export class FormatError extends Error {
  readonly code = "CEL_STRING_FORMAT";
  override readonly name = "FormatError";
  /** Which argument, and which element inside it; empty: the call as a whole. */
  readonly path: readonly number[];

  constructor(message: string, path: readonly number[] = []) {
    super(message);
    this.path = path;
  }
}

export function walkFormat(format: string, reader: FormatReader): string {
  let out = "";
  let position = 0;
  let index = 0;
  for (;;) {
    const percent = format.indexOf("%", position);
    if (percent === -1) return out + format.slice(position);
    out += format.slice(position, percent);
    if (format.charAt(percent + 1) === "%") {
      out += "%";
      position = percent + 2;
      continue;
    }
    reader.take(index);
    if (percent + 1 >= format.length) throw new FormatError("unexpected end of string");
    if (index >= reader.count) throw new FormatError(`index ${index} out of range`);
    const { clause, end } = readClause(format, percent + 1);
    out += printClause(reader, index, clause);
    position = end;
    index++;
  }
}

function printClause(reader: FormatReader, index: number, clause: FormatClause): string {
  try {
    return reader.print(index, clause);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new FormatError(`error during formatting: ${error.message}`, error.path);
  }
}

function readClause(format: string, start: number): { clause: FormatClause; end: number } {
  const { precision, end } = readPrecision(format, start);
  const char = format.charAt(end);
  if (!isVerb(char)) {
    throw clauseError(`unrecognized formatting clause "${firstByte(char)}"`);
  }
  return { clause: { verb: char, precision }, end: end + 1 };
}

function readPrecision(
  format: string,
  start: number,
): { precision: number | undefined; end: number } {
  if (format.charAt(start) !== ".") return { precision: undefined, end: start };
  let end = start + 1;
  while (/[0-9]/.test(format.charAt(end))) end++;
  if (end >= format.length) {
    throw clauseError("error while parsing precision: could not find end of precision specifier");
  }
  return { precision: readInteger(format.slice(start + 1, end)), end };
}

const LARGEST_INTEGER = 2n ** 63n - 1n;

function readInteger(digits: string): number {
  const significant = digits.replace(/^0+/, "");
  const problem =
    digits === ""
      ? "invalid syntax"
      : significant.length > 19 || BigInt(`0${significant}`) > LARGEST_INTEGER
        ? "value out of range"
        : undefined;
  if (problem === undefined) return Number(digits);
  const reading = `strconv.Atoi: parsing ${goQuote(digits)}: ${problem}`;
  throw clauseError(
    `error while parsing precision: error while converting precision to integer: ${reading}`,
  );
}

function clauseError(problem: string): FormatError {
  return new FormatError(`could not parse formatting clause: ${problem}`);
}

function isVerb(char: string): char is FormatVerb {
  return char !== "" && "sdfebxXo".includes(char);
}

/** A byte, shown as the character of that number, is what the message names. */
function firstByte(char: string): string {
  return String.fromCharCode(new TextEncoder().encode(char)[0] ?? 0);
}
