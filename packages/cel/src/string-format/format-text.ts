import { printTypeName } from "../expression-types/print-type.ts";
import { goQuote } from "../text/go-quote.ts";
import { REST_AFTER, type WorkSteps } from "../text/work-steps.ts";
import { stringOf } from "../values/convert.ts";
import { isFailure } from "../values/failure.ts";
import { isList } from "../values/list-value.ts";
import { isMap } from "../values/map-value.ts";
import { typeOfValue } from "../values/type-of-value.ts";
import { isTypeValue } from "../values/type-value.ts";
import { isUint } from "../values/uint-value.ts";
import type { ListValue, MapValue, Value } from "../values/value.ts";
import { FORMAT_RULES } from "./format-rules.ts";
import { type FormatClause, FormatError, type FormatVerb, walkFormat } from "./format-walk.ts";
import { printElementDouble, printGroupedFixed, printScientific } from "./print-double.ts";

const DEFAULT_PRECISION = 6;

/** Lists and maps among the arguments, printed before for `%s`, or why they cannot be. */
export type PrintedContainers = ReadonlyMap<number, string | FormatError>;

export function* printContainers(args: ListValue): WorkSteps<PrintedContainers> {
  const printed = new Map<number, string | FormatError>();
  for (let index = 0; index < args.size; index++) {
    const value = args.at(index);
    if (!isList(value) && !isMap(value)) continue;
    try {
      printed.set(index, yield* printContainer(value));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      printed.set(index, error);
    }
  }
  return printed;
}

/** Throws {@link FormatError}. More arguments than clauses are no mistake here. */
export function formatText(format: string, args: ListValue, containers: PrintedContainers): string {
  const take = (index: number): void => {
    if (index >= args.size) throw new FormatError(`index ${index} out of range`);
  };
  const print = (index: number, clause: FormatClause): string => {
    const container = clause.verb === "s" ? containers.get(index) : undefined;
    if (container instanceof FormatError) throw container;
    return container ?? printArgument(args.at(index), clause);
  };
  return walkFormat(format, { count: args.size, take, print });
}

function printArgument(value: Value, { verb, precision }: FormatClause): string {
  switch (verb) {
    case "s":
      return printText(value);
    case "f":
      return printGroupedFixed(doubleOf(value, verb), precision ?? DEFAULT_PRECISION);
    case "e":
      return printScientific(doubleOf(value, verb), precision ?? DEFAULT_PRECISION);
    case "d":
      return integerOf(value, verb).toString();
    case "o":
      return integerOf(value, verb).toString(8);
    case "b":
      return typeof value === "boolean" ? (value ? "1" : "0") : integerOf(value, verb).toString(2);
    case "x":
      return printHex(value, verb);
    case "X":
      return printHex(value, verb).toUpperCase();
  }
}

function printText(value: Value): string {
  if (value === null) return "null";
  if (isTypeValue(value)) return value.typeName;
  if (!FORMAT_RULES.s.kinds.includes(typeOfValue(value).kind)) throw refused(value, "s");
  const text = stringOf(value);
  if (typeof text === "string") return text;
  const shown = isFailure(text) ? text.message : "";
  throw new FormatError(`could not convert argument ${goQuote(shown)} to string`);
}

function* printContainer(value: ListValue | MapValue): WorkSteps<string> {
  return isList(value) ? yield* printList(value) : yield* printMap(value);
}

function* printList(list: ListValue): WorkSteps<string> {
  const parts: string[] = [];
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    const isContainer = isList(element) || isMap(element);
    parts.push(isContainer ? yield* printContainer(element) : printElement(element));
    if (parts.length % REST_AFTER.elements === 0) yield;
  }
  return `[${parts.join(", ")}]`;
}

/** In the order of the printed keys, by bytes. */
function* printMap(map: MapValue): WorkSteps<string> {
  const entries: { key: string; value: string }[] = [];
  for (const key of map.keys()) {
    const shown = printKey(key);
    const value = map.find(key) ?? null;
    const isContainer = isList(value) || isMap(value);
    entries.push({
      key: shown,
      value: isContainer ? yield* printContainer(value) : printElement(value),
    });
    if (entries.length % REST_AFTER.elements === 0) yield;
  }
  entries.sort((a, b) => compareText(a.key, b.key));
  return `{${entries.map(({ key, value }) => `${key}:${value}`).join(", ")}}`;
}

function printKey(key: Value): string {
  const type = typeOfValue(key);
  if (!["bool", "int", "string", "uint"].includes(type.kind)) {
    const name = printTypeName(type);
    throw new FormatError(`no formatting function for map key of type ${name}`);
  }
  return printElement(key);
}

/** As a literal of the language, as far as there is one. */
function printElement(value: Value): string {
  const type = typeOfValue(value);
  switch (type.kind) {
    case "string":
      return goQuote(printText(value));
    case "bytes":
      return `b${goQuote(printText(value))}`;
    case "timestamp":
    case "duration":
      return `${type.kind}(${goQuote(printText(value))})`;
    case "double": {
      const text = printElementDouble(value as number);
      return Number.isFinite(value) ? text : goQuote(text);
    }
    case "object":
      return printText(value);
    default:
      if (FORMAT_RULES.s.kinds.includes(type.kind)) return printText(value);
      throw new FormatError(`no formatting function for ${printTypeName(type)}`);
  }
}

function doubleOf(value: Value, verb: "e" | "f"): number {
  if (typeof value === "number") return value;
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") return Number(value);
  throw refused(value, verb);
}

function integerOf(value: Value, verb: FormatVerb): bigint {
  if (typeof value === "bigint") return value;
  if (isUint(value)) return value.value;
  throw refused(value, verb);
}

const HEX_DIGITS = "0123456789abcdef";

function printHex(value: Value, verb: "X" | "x"): string {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  if (!(bytes instanceof Uint8Array)) return integerOf(value, verb).toString(16);
  const digits = new Uint8Array(bytes.length * 2);
  for (let index = 0; index < bytes.length; index++) {
    digits[index * 2] = HEX_DIGITS.charCodeAt(bytes[index]! >> 4);
    digits[index * 2 + 1] = HEX_DIGITS.charCodeAt(bytes[index]! & 15);
  }
  return new TextDecoder().decode(digits);
}

function refused(value: Value, verb: FormatVerb): FormatError {
  const given = printTypeName(typeOfValue(value));
  return new FormatError(`${FORMAT_RULES[verb].refusal}, was given ${given}`);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
